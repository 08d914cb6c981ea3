package roll.cluster.inference.server;

import static roll.cluster.services.AnsweredTopics.bytes;
import static roll.cluster.services.AnsweredTopics.done;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.WorkerConfig;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.codec.CallPictures;
import roll.cluster.inference.codec.GenerationCodec;
import roll.cluster.inference.codec.MeasurementCodec;
import roll.cluster.inference.codec.ScoreCodec;
import roll.cluster.inference.codec.SessionConfigCodec;
import roll.cluster.inference.codec.Topics;
import roll.cluster.inference.folder.FolderOffer;
import roll.cluster.inference.folder.FolderTransfer;
import roll.cluster.inference.weights.ReceivedWeights;
import roll.cluster.inference.weights.WeightOffer;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.AnsweredTopics;
import roll.cluster.services.ServedServices;
import roll.cluster.services.ServiceOffer;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/**
 * Lets other nodes open sessions on the strategies of this one. A session ends when its owner
 * closes it or is no member any more; a strategy that goes waits for what its sessions compute.
 */
@Component(
    name = "roll.cluster.inference.server",
    immediate = true,
    service = {})
public final class InferenceServer {
  private static final Logger LOG = LoggerFactory.getLogger(InferenceServer.class);

  /** How long a strategy that goes waits. */
  private static final long PATIENCE = 600_000;

  private final Membership membership;
  private final WeightTransfer weights;
  private final FolderTransfer folders;
  private final ServedServices<InferStrategy> strategies;
  private final Map<Long, ServedSession> sessions = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AnsweredTopics topics;
  private final Registration events;

  /** Answers as soon as this process is a member. */
  @Activate
  public InferenceServer(
      BundleContext context, @Reference Membership membership, @Reference Transfers transfers) {
    this.membership = membership;
    this.weights = transfers.weights();
    this.folders = transfers.folders();
    this.topics = new AnsweredTopics(membership);
    this.strategies =
        new ServedServices<>(
            context, InferStrategy.class, "roll.strategy", _ -> "", this::changed, this::leaving);
    topics.handle(
        Topics.STRATEGIES,
        (_, _) -> done(out -> out.list(strategies.offers(), ServiceOffer::write)));
    topics.handle(Topics.OPEN, this::open);
    topics.handle(Topics.CLOSE, (from, in) -> close(session(from, in)));
    topics.handle(Topics.PICTURES, this::show);
    topics.handle(Topics.GENERATE, this::generate);
    topics.handle(Topics.CANCEL, this::cancel);
    topics.handle(Topics.SCORE, this::score);
    topics.handle(Topics.UPDATE, this::update);
    topics.handle(Topics.SLEEP, (from, in) -> answer(session(from, in), s -> s.session().sleep()));
    topics.handle(Topics.WAKE, (from, in) -> answer(session(from, in), s -> s.session().wake()));
    topics.handle(
        Topics.METRICS,
        (from, in) -> {
          Map<String, Double> metrics = session(from, in).session().metrics();
          return done(out -> MeasurementCodec.write(out, metrics));
        });
    topics.handle(
        Topics.HELD,
        (from, in) -> {
          var held = session(from, in).session().held();
          return done(out -> MeasurementCodec.write(out, held));
        });
    this.events = membership.listen(this::happened);
    changed(); // whoever asked before the topics were answered asks again
  }

  private static CompletableFuture<byte[]> answer(
      ServedSession session, Function<ServedSession, CompletableFuture<Void>> work) {
    return session.run(() -> work.apply(session)).thenApply(_ -> bytes(out -> {}));
  }

  private ServedSession session(Member from, ByteReader in) {
    long number = in.int64();
    ServedSession session = sessions.get(number);
    if (session == null || session.owner().uid() != from.uid()) {
      throw new IllegalStateException("there is no session " + number + " any more");
    }
    return session;
  }

  private CompletableFuture<byte[]> open(Member from, ByteReader in) throws InterruptedException {
    long strategy = in.int64();
    SessionConfig config = SessionConfigCodec.config(in);
    FolderOffer model = FolderOffer.read(in);
    FolderOffer adapter = in.optional(FolderOffer::read);
    Path folder = folders.fetch(from, model);
    Path adapters = adapter == null ? null : folders.fetch(from, adapter);
    long number = numbers.incrementAndGet();
    ServedSession session =
        new ServedSession(
            from,
            strategy,
            strategies.get(strategy).open(placed(config, folder, adapters)),
            new ReceivedWeights(weights, config.worker().role()));
    sessions.put(number, session);
    if (!membership.members().contains(from)) {
      end(number);
    }
    LOG.info("{} opened session {} of {}", from, number, config.worker().role());
    return done(out -> out.int64(number).int32(weights.port()));
  }

  /** With the folders of this machine, and all of its cores. */
  private static SessionConfig placed(SessionConfig config, Path folder, @Nullable Path adapter) {
    WorkerConfig worker = config.worker();
    return new SessionConfig(
        new WorkerConfig(
            worker.role(),
            worker.model().in(folder, adapter),
            worker.template(),
            worker.strategy(),
            worker.strategyOptions(),
            worker.training(),
            List.of(),
            worker.inferBatchSize(),
            worker.budgets()),
        config.seed(),
        config.maxGradNorm(),
        config.sequenceLength(),
        config.synchronous(),
        0);
  }

  private CompletableFuture<byte[]> show(Member from, ByteReader in) {
    ServedSession session = session(from, in);
    session.show(in.int64(), CallPictures.readPart(in));
    return done(out -> {});
  }

  private CompletableFuture<byte[]> generate(Member from, ByteReader in) {
    ServedSession session = session(from, in);
    long call = in.int64();
    var requests = GenerationCodec.requests(in, session.shown(call));
    return session
        .run(() -> session.generating(call, session.session().generate(requests)))
        .thenApply(written -> bytes(out -> out.list(written, GenerationCodec::write)));
  }

  private CompletableFuture<byte[]> cancel(Member from, ByteReader in) {
    ServedSession session = session(from, in);
    session.cancel(in.int64());
    return done(out -> {});
  }

  private CompletableFuture<byte[]> score(Member from, ByteReader in) {
    ServedSession session = session(from, in);
    var batch = ScoreCodec.batch(in, session.shown(in.int64()));
    return session
        .run(() -> session.session().score(batch))
        .thenApply(scores -> bytes(out -> ScoreCodec.write(out, scores)));
  }

  private CompletableFuture<byte[]> update(Member from, ByteReader in) throws InterruptedException {
    ServedSession session = session(from, in);
    return session.update(WeightOffer.read(in)).thenApply(_ -> bytes(out -> {}));
  }

  private CompletableFuture<byte[]> close(ServedSession session) {
    sessions.values().remove(session);
    session.close();
    return done(out -> {});
  }

  private void changed() {
    List<Member> members = membership.members();
    if (!membership.ended().isDone() && !members.isEmpty()) {
      membership.send(members.getFirst(), Topics.CHANGED, new ByteWriter().toBytes());
    }
  }

  private void leaving(long strategy) {
    changed();
    try {
      for (Map.Entry<Long, ServedSession> session : sessions.entrySet()) {
        if (session.getValue().strategy() == strategy) {
          session.getValue().drain(PATIENCE);
          end(session.getKey());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(long number) {
    ServedSession session = sessions.remove(number);
    if (session != null) {
      session.close();
    }
  }

  private void happened(MemberEvent event) {
    if (event instanceof MemberEvent.Removed removed) {
      Thread.startVirtualThread(
          () ->
              sessions.forEach(
                  (number, session) -> {
                    if (session.owner().uid() == removed.member().uid()) {
                      end(number);
                    }
                  }));
    }
  }

  /** Takes back what was registered; ends what is open. */
  @Deactivate
  public void deactivate() {
    if (membership.ended().isDone()) {
      sessions.keySet().forEach(this::end); // nobody waits for what they compute
    }
    strategies.close(); // waits for what is computed; the topics are answered meanwhile
    topics.close();
    events.close();
    sessions.keySet().forEach(this::end);
  }
}
