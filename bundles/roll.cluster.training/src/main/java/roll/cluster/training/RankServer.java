package roll.cluster.training;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.memory.SessionMemory;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.Leases;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.LocalRanks;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.Rendezvous;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.ScoredTokens;
import roll.parallel.world.ShardedModelSpec;
import roll.parallel.world.StateRange;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;
import roll.torch.vision.PicturePatches;

/**
 * Runs ranks for the coordinator, which has the loss and the weights. Only a vision model needs its
 * folder on this node too, for the image processor. Ranks end with this component.
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
  private final Leases<RankKey, HostedRanks> opened;
  private final Map<Long, CommandSequence> sequences = new ConcurrentHashMap<>();
  private final Registration calls;

  /** Serves calls as soon as this process is a member. */
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

  private CommandSequence sequence(RankKey key) {
    return sequences.computeIfAbsent(key.coordinator(), _ -> new CommandSequence());
  }

  /** Exchanges addresses through the coordinator. */
  private static List<byte[]> exchange(
      RankCalls calls, RankKey key, String name, int size, int index, byte[] own, Duration limit) {
    try {
      return calls.value(calls.coordinator(limit).exchange(key, name, size, index, own)).get();
    } catch (ExecutionException e) {
      throw RankFailure.of(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RankFailure(name + ": interrupted", e);
    }
  }

  /** The coordinator, as calls of the rank server see it. */
  private final class Caller implements RankHost {
    private final Member from;

    Caller(Member from) {
      this.from = from;
    }

    /** Returns the ranks that the caller has opened. */
    private HostedRanks ranks(RankKey key) {
      HostedRanks ranks = opened.get(key, from);
      if (ranks == null) {
        throw new RankFailure("there are no ranks " + key.session() + " here any more");
      }
      return ranks;
    }

    /** Starts a command on the ranks when all earlier commands have started. */
    private <T> CompletableFuture<RankAnswer<T>> command(
        RankKey key, long number, Function<HostedRanks, CompletableFuture<T>> work) {
      return RankAnswer.of(() -> sequence(key).start(number, () -> work.apply(ranks(key))));
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> open(
        RankKey key, String process, ShardedModelSpec order, RankGroup group) {
      return RankAnswer.of(
          () -> {
            RankCalls calls = new RankCalls(membership, from);
            SessionConfig config = order.config();
            List<Device> own = devices.ranks(config.worker().devices(), config.deviceCount());
            Rendezvous rendezvous =
                (name, size, index, bytes, limit) ->
                    exchange(calls, key, name, size, index, bytes, limit);
            LocalProcess site = new LocalProcess(process, rendezvous);
            PicturePatches patches = models.patches(order.spec(), config.worker().model().folder());
            LocalRanks ranks = new LocalRanks(order, own, collectives, group, site, patches);
            opened.put(key, from, new HostedRanks(calls, key, ranks));
            LOG.info(
                "{} opened ranks {} of {}", from, group.ranks(process), config.worker().role());
            return DONE;
          });
    }

    @Override
    public CompletableFuture<RankAnswer<Double>> accumulate(
        RankKey key, long number, TokenBatch batch) {
      return command(key, number, ranks -> ranks.accumulate(batch));
    }

    @Override
    public CompletableFuture<RankAnswer<Boolean>> step(
        RankKey key, long number, OptimizerStep step) {
      return command(key, number, ranks -> ranks.ranks().step(step));
    }

    @Override
    public CompletableFuture<RankAnswer<ScoredTokens>> score(
        RankKey key, long number, TokenBatch batch, int count, boolean adapted) {
      return command(
          key,
          number,
          ranks ->
              ranks
                  .ranks()
                  .score(batch, count, adapted)
                  .thenApply(
                      scored -> {
                        RankCalls.checkSize("an answer of %d bytes", SCORED.write(scored).length);
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
    public CompletableFuture<RankAnswer<List<SessionMemory>>> held(RankKey key) {
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
            HostedRanks ranks = ranks(key);
            var unused = opened.remove(key);
            ranks.close();
            return DONE;
          });
    }
  }

  private void end(RankKey key, HostedRanks ranks, String why) {
    sequence(key).end(why);
    ranks.abort(new RankFailure(why));
    ranks.close();
  }

  /** Stops serving calls and ends the ranks. */
  @Deactivate
  public void deactivate() {
    calls.close();
    sequences.values().forEach(sequence -> sequence.end("this node has left the run"));
    opened.close();
  }
}
