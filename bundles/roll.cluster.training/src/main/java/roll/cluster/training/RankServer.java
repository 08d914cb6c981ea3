package roll.cluster.training;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.codec.CallPictures;
import roll.cluster.inference.codec.MeasurementCodec;
import roll.cluster.inference.codec.ScoreCodec;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.parallel.LocalRanks;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankSite;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.RankOrder;
import roll.parallel.world.StateRun;
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

  private final Membership membership;
  private final Devices devices;
  private final Models models;
  private final Collectives collectives;
  private final Map<RankKey, ServedRanks> opened = new ConcurrentHashMap<>();
  private final Map<Long, CommandOrder> orders = new ConcurrentHashMap<>();
  private final TopicHandlers handlers;
  private final Registration events;

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
    this.handlers = new TopicHandlers(membership);
    handlers.handle(TrainingTopics.OPEN, this::open);
    handlers.handle(TrainingTopics.PICTURES, this::show);
    handlers.handle(TrainingTopics.ACCUMULATE, this::accumulate);
    handlers.handle(TrainingTopics.STEP, this::step);
    handlers.handle(TrainingTopics.SCORE, this::score);
    handlers.handle(
        TrainingTopics.PUBLISH,
        (from, in) -> {
          Command command = command(from, in);
          return () -> command.begin(ranks -> ranks.ranks().publish(), (out, _) -> {});
        });
    handlers.handle(TrainingTopics.GATHER, this::gather);
    handlers.handle(TrainingTopics.SCATTER, this::scatter);
    handlers.handle(TrainingTopics.HELD, this::held);
    handlers.handle(TrainingTopics.ABORT, this::abort);
    handlers.handle(TrainingTopics.CLOSE, this::close);
    this.events = membership.listen(this::happened);
  }

  private static CompletableFuture<byte[]> done(Consumer<ByteWriter> how) {
    return CompletableFuture.completedFuture(RankAnswer.done(how));
  }

  /** The ranks of {@code key}, which {@code from} has opened. */
  private ServedRanks ranks(Member from, RankKey key) {
    ServedRanks ranks = opened.get(key);
    if (ranks == null || ranks.owner().member().uid() != from.uid()) {
      throw new RankFailure("there are no ranks " + key.session() + " here any more");
    }
    return ranks;
  }

  private CommandOrder order(RankKey key) {
    return orders.computeIfAbsent(key.life(), _ -> new CommandOrder());
  }

  /** A command in its order. */
  private final class Command {
    private final Member from;
    private final RankKey key;
    private final long number;

    Command(Member from, RankKey key, long number) {
      this.from = from;
      this.key = key;
      this.number = number;
    }

    /** The pictures that came before it. */
    List<Picture> shown() {
      return order(key).shown(number);
    }

    <T> CompletableFuture<byte[]> begin(
        Function<ServedRanks, CompletableFuture<T>> work, Written<T> how)
        throws InterruptedException {
      return order(key)
          .begin(number, () -> work.apply(ranks(from, key)))
          .thenApply(value -> RankAnswer.done(out -> how.write(out, value)));
    }
  }

  private interface Written<T> {
    void write(ByteWriter out, T value);
  }

  private Command command(Member from, ByteReader in) {
    return new Command(from, RankKey.read(in), in.int64());
  }

  private TopicHandlers.Work open(Member from, ByteReader in) {
    RankKey key = RankKey.read(in);
    String process = in.text();
    RankOrder order = OrderCodec.order(in);
    RankGroup group = OrderCodec.group(in);
    return () -> {
      RankCalls owner = new RankCalls(membership, from);
      SessionConfig config = order.config();
      List<Device> own = devices.ranks(config.worker().devices(), config.deviceCount());
      RankSite site = new RankSite(process, new RemoteRendezvous(owner, key));
      PicturePatches patches = models.patches(order.spec(), config.worker().model().folder());
      LocalRanks ranks = new LocalRanks(order, own, collectives, group, site, patches);
      opened.put(key, new ServedRanks(owner, key, ranks));
      if (!membership.members().contains(from)) {
        end(key, new RankFailure("node " + from + " is lost"));
      }
      LOG.info("{} opened ranks {} of {}", from, group.ranks(process), config.worker().role());
      return done(_ -> {});
    };
  }

  private TopicHandlers.Work show(Member from, ByteReader in) {
    CommandOrder order = order(RankKey.read(in));
    long number = in.int64();
    List<Picture> pictures = CallPictures.readPart(in);
    return () -> {
      order.show(number, pictures);
      return done(_ -> {});
    };
  }

  private TopicHandlers.Work accumulate(Member from, ByteReader in) {
    Command command = command(from, in);
    TokenBatch batch = ScoreCodec.batch(in, command.shown());
    return () -> command.begin(ranks -> ranks.accumulate(batch), ByteWriter::float64);
  }

  private TopicHandlers.Work step(Member from, ByteReader in) {
    Command command = command(from, in);
    OptimizerStep step = OrderCodec.step(in);
    return () -> command.begin(ranks -> ranks.ranks().step(step), (out, _) -> {});
  }

  private TopicHandlers.Work score(Member from, ByteReader in) {
    Command command = command(from, in);
    int count = in.int32();
    boolean adapted = in.bool();
    TokenBatch batch = ScoreCodec.batch(in, command.shown());
    return () ->
        command.begin(ranks -> ranks.ranks().score(batch, count, adapted), ColumnCodec::write);
  }

  private TopicHandlers.Work gather(Member from, ByteReader in) {
    Command command = command(from, in);
    StateRun run = OrderCodec.run(in);
    return () ->
        command.begin(ranks -> ranks.ranks().gather(run, MemorySegment.NULL), (out, _) -> {});
  }

  private TopicHandlers.Work scatter(Member from, ByteReader in) {
    Command command = command(from, in);
    StateRun run = OrderCodec.run(in);
    return () ->
        command.begin(ranks -> ranks.ranks().scatter(run, MemorySegment.NULL), (out, _) -> {});
  }

  private TopicHandlers.Work held(Member from, ByteReader in) {
    RankKey key = RankKey.read(in);
    return () -> {
      List<DeviceMemory> held = ranks(from, key).ranks().held();
      return done(out -> MeasurementCodec.write(out, held));
    };
  }

  private TopicHandlers.Work abort(Member from, ByteReader in) {
    RankKey key = RankKey.read(in);
    String why = in.text();
    return () -> {
      ranks(from, key).abort(new RankFailure(why, new IllegalStateException(why)));
      return done(_ -> {});
    };
  }

  private TopicHandlers.Work close(Member from, ByteReader in) {
    RankKey key = RankKey.read(in);
    return () -> {
      ServedRanks ranks = ranks(from, key);
      opened.remove(key);
      ranks.close();
      return done(_ -> {});
    };
  }

  private void end(RankKey key, RankFailure cause) {
    ServedRanks ranks = opened.remove(key);
    if (ranks != null) {
      ranks.abort(cause);
      ranks.close();
    }
  }

  private void happened(MemberEvent event) {
    if (event instanceof MemberEvent.Removed removed) {
      Member gone = removed.member();
      Thread.startVirtualThread(
          () ->
              opened.forEach(
                  (key, ranks) -> {
                    if (ranks.owner().member().uid() == gone.uid()) {
                      order(key).end("node " + gone + " is gone");
                      end(key, new RankFailure("node " + gone + " is gone"));
                    }
                  }));
    }
  }

  /** Takes back what was registered; ends what is open. */
  @Deactivate
  public void deactivate() {
    handlers.close();
    events.close();
    orders.values().forEach(order -> order.end("this node has left the run"));
    opened.keySet().forEach(key -> end(key, new RankFailure("this node has left the run")));
  }
}
