package roll.cluster.inference.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.WorkerConfig;
import roll.api.image.Picture;
import roll.api.memory.DeviceMemory;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.calls.InferenceHost;
import roll.cluster.inference.calls.RequestsMessage;
import roll.cluster.inference.calls.ResponseMessage;
import roll.cluster.inference.codec.BatchMessage;
import roll.cluster.inference.folder.FolderOffer;
import roll.cluster.inference.folder.FolderTransfer;
import roll.cluster.inference.weights.ReceivedWeights;
import roll.cluster.inference.weights.WeightOffer;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.Leases;
import roll.cluster.services.ServedServices;

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
  private final Leases<Long, ServedSession> sessions;
  private final AtomicLong numbers = new AtomicLong();
  private final Registration calls;

  /** Answers as soon as this process is a member. */
  @Activate
  public InferenceServer(
      BundleContext context, @Reference Membership membership, @Reference Transfers transfers) {
    this.membership = membership;
    this.weights = transfers.weights();
    this.folders = transfers.folders();
    this.strategies =
        new ServedServices<>(context, membership, InferenceHost.STRATEGIES, _ -> "", this::leaving);
    this.sessions = new Leases<>(membership, (_, session, _) -> session.close());
    this.calls = InferenceHost.CONTRACT.serve(membership, Caller::new);
    strategies.open();
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
            worker.budgets(),
            worker.chatTemplateKwargs()),
        config.seed(),
        config.maxGradNorm(),
        config.sequenceLength(),
        config.synchronous(),
        0);
  }

  /** A member that uses strategies of this node. */
  private final class Caller implements InferenceHost {
    private final Member from;

    Caller(Member from) {
      this.from = from;
    }

    private ServedSession session(long number) {
      ServedSession session = sessions.get(number, from);
      if (session == null) {
        throw new IllegalStateException("there is no session " + number + " any more");
      }
      return session;
    }

    @Override
    public CompletableFuture<Opened> open(
        long strategy, SessionConfig config, FolderOffer model, @Nullable FolderOffer adapter) {
      Path folder = folders.fetch(from, model);
      Path adapters = adapter == null ? null : folders.fetch(from, adapter);
      long number = numbers.incrementAndGet();
      ServedSession session =
          new ServedSession(
              from,
              strategy,
              strategies.get(strategy).open(placed(config, folder, adapters)),
              new ReceivedWeights(weights, config.worker().role()));
      sessions.put(number, from, session);
      try {
        var unused = strategies.get(strategy);
      } catch (IllegalStateException e) { // it went meanwhile
        sessions.end(number, "its strategy is gone");
        throw e;
      }
      LOG.info("{} opened session {} of {}", from, number, config.worker().role());
      return CompletableFuture.completedFuture(new Opened(number, weights.port()));
    }

    @Override
    public CompletableFuture<Void> show(long session, long call, List<Picture> pictures) {
      session(session).shown().add(call, pictures);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<List<ResponseMessage>> generate(
        long number, long call, RequestsMessage message) {
      ServedSession session = session(number);
      List<GenerationRequest> requests = message.requests(session.shown().take(call));
      return session
          .run(() -> session.generating(call, session.session().generate(requests)))
          .thenApply(written -> written.stream().map(ResponseMessage::of).toList());
    }

    @Override
    public void cancel(long session, long call) {
      session(session).cancel(call);
    }

    @Override
    public CompletableFuture<Scores> score(long number, long call, BatchMessage message) {
      ServedSession session = session(number);
      TokenBatch batch = message.batch(session.shown().take(call));
      return session.run(() -> session.session().score(batch));
    }

    @Override
    public CompletableFuture<Void> update(long session, WeightOffer offer) {
      return session(session).update(offer);
    }

    @Override
    public CompletableFuture<Void> sleep(long number) {
      ServedSession session = session(number);
      return session.run(session.session()::sleep);
    }

    @Override
    public CompletableFuture<Void> wake(long number) {
      ServedSession session = session(number);
      return session.run(session.session()::wake);
    }

    @Override
    public CompletableFuture<Map<String, Double>> metrics(long session) {
      return CompletableFuture.completedFuture(session(session).session().metrics());
    }

    @Override
    public CompletableFuture<List<DeviceMemory>> held(long session) {
      return CompletableFuture.completedFuture(session(session).session().peakMemory());
    }

    @Override
    public CompletableFuture<Void> close(long number) {
      var unused = session(number);
      sessions.end(number, "its owner has closed it");
      return CompletableFuture.completedFuture(null);
    }
  }

  private void leaving(long strategy) {
    try {
      for (Map.Entry<Long, ServedSession> session : sessions.all().entrySet()) {
        if (session.getValue().strategy() == strategy) {
          session.getValue().drain(PATIENCE);
          sessions.end(session.getKey(), "its strategy is gone");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes back what was registered; ends what is open. */
  @Deactivate
  public void deactivate() {
    if (membership.ended().isDone()) {
      sessions.endAll("the run is over"); // nobody waits for what they compute
    }
    strategies.close(); // waits for what is computed; the calls are answered meanwhile
    calls.close();
    sessions.close();
  }
}
