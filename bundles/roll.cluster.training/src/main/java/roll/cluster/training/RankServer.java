package roll.cluster.training;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.image.Picture;
import roll.api.memory.DeviceMemory;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.codec.BatchMessage;
import roll.cluster.services.Leases;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.LocalRanks;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.ScoredTokens;
import roll.parallel.world.ShardedModelSpec;
import roll.parallel.world.StateRange;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;
import roll.torch.vision.PicturePatches;

/**
 * Lets the node that decides the steps open ranks on this one. It knows no loss and no weights:
 * numbers come from the node that decides. Of a model that sees the folder must be here, too, for
 * its image processor. Ranks end with it.
 */
@Component(
    name = "roll.cluster.training.server",
    immediate = true,
    service = {})
public final class RankServer {
  private static final Logger LOG = LoggerFactory.getLogger(RankServer.class);

  private static final CompletableFuture<Boolean> DONE = CompletableFuture.completedFuture(true);
  private static final RecordCodec SCORED = RecordCodec.of(ScoredTokens.class);

  private final Membership membership;
  private final Devices devices;
  private final Models models;
  private final Collectives collectives;
  private final Leases<RankKey, ServedRanks> opened;
  private final Map<Long, CommandOrder> orders = new ConcurrentHashMap<>();
  private final Registration calls;

  /** Answers as soon as this process is a member. */
  @Activate
  public RankServer(
      @Reference Membership membership,
      @Reference Devices devices,
      @Reference Models models,
      @Reference Collectives collectives) {
    this.membership = membership;
    this.devices = devices;
    this.models = models;
    this.collectives = collectives;
    this.opened = new Leases<>(membership, this::end);
    this.calls = RankHost.CONTRACT.serve(membership, Caller::new);
  }

  private CommandOrder order(RankKey key) {
    return orders.computeIfAbsent(key.life(), _ -> new CommandOrder());
  }

  /** The node that decides. */
  private final class Caller implements RankHost {
    private final Member from;

    Caller(Member from) {
      this.from = from;
    }

    /** The ranks of {@code key}, which this node has opened. */
    private ServedRanks ranks(RankKey key) {
      ServedRanks ranks = opened.get(key, from);
      if (ranks == null) {
        throw new RankFailure("there are no ranks " + key.session() + " here any more");
      }
      return ranks;
    }

    /** Begins a command in its order. */
    private <T> CompletableFuture<RankAnswer<T>> command(
        RankKey key, long number, Function<ServedRanks, CompletableFuture<T>> work) {
      return RankAnswer.of(() -> order(key).begin(number, () -> work.apply(ranks(key))));
    }

    private TokenBatch batch(RankKey key, long number, BatchMessage message) {
      return message.batch(order(key).shown().take(number));
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> open(
        RankKey key, String process, ShardedModelSpec order, RankGroup group) {
      return RankAnswer.of(
          () -> {
            RankCalls owner = new RankCalls(membership, from);
            SessionConfig config = order.config();
            List<Device> own = devices.ranks(config.worker().devices(), config.deviceCount());
            LocalProcess site = new LocalProcess(process, new RemoteRendezvous(owner, key));
            PicturePatches patches = models.patches(order.spec(), config.worker().model().folder());
            LocalRanks ranks = new LocalRanks(order, own, collectives, group, site, patches);
            opened.put(key, from, new ServedRanks(owner, key, ranks));
            LOG.info(
                "{} opened ranks {} of {}", from, group.ranks(process), config.worker().role());
            return DONE;
          });
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> show(
        RankKey key, long number, List<Picture> pictures) {
      order(key).shown().add(number, pictures);
      return RankAnswer.of(() -> DONE);
    }

    @Override
    public CompletableFuture<RankAnswer<Double>> accumulate(
        RankKey key, long number, BatchMessage message) {
      return command(key, number, ranks -> ranks.accumulate(batch(key, number, message)));
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> step(
        RankKey key, long number, OptimizerStep step) {
      return command(key, number, ranks -> ranks.ranks().step(step));
    }

    @Override
    public CompletableFuture<RankAnswer<ScoredTokens>> score(
        RankKey key, long number, BatchMessage message, int count, boolean adapted) {
      return command(
          key,
          number,
          ranks ->
              ranks
                  .ranks()
                  .score(batch(key, number, message), count, adapted)
                  .thenApply(
                      scored -> {
                        RankCalls.fits("an answer of %d bytes", SCORED.write(scored).length);
                        return scored;
                      }));
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> publish(RankKey key, long number) {
      return command(key, number, ranks -> ranks.ranks().publish());
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> gather(RankKey key, long number, StateRange run) {
      return command(key, number, ranks -> ranks.ranks().gather(run, MemorySegment.NULL));
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> scatter(
        RankKey key, long number, StateRange run) {
      return command(key, number, ranks -> ranks.ranks().scatter(run, MemorySegment.NULL));
    }

    @Override
    public CompletableFuture<RankAnswer<List<DeviceMemory>>> held(RankKey key) {
      return RankAnswer.of(
          () -> CompletableFuture.completedFuture(ranks(key).ranks().peakMemory()));
    }

    @Override
    public void abort(RankKey key, String why) {
      ranks(key).abort(new RankFailure(why, new IllegalStateException(why)));
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> close(RankKey key) {
      return RankAnswer.of(
          () -> {
            ServedRanks ranks = ranks(key);
            var unused = opened.remove(key);
            ranks.close();
            return DONE;
          });
    }
  }

  private void end(RankKey key, ServedRanks ranks, String why) {
    order(key).end(why);
    ranks.abort(new RankFailure(why));
    ranks.close();
  }

  /** Takes back what was registered; ends what is open. */
  @Deactivate
  public void deactivate() {
    calls.close();
    orders.values().forEach(order -> order.end("this node has left the run"));
    opened.close();
  }
}
