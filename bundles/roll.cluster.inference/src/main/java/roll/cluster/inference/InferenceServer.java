package roll.cluster.inference;

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
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.weights.ReceivedWeights;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.Leases;
import roll.cluster.services.OfferedServices;
import roll.cluster.services.RemoteContract.Target;

/**
 * Opens sessions on the strategies of this node for other nodes. A session ends when its owner
 * closes it or leaves the run. A strategy that goes waits for the running calls of its sessions.
 */
@Component(
    name = "roll.cluster.inference.server",
    immediate = true,
    service = {})
public final class InferenceServer {
  private static final Logger LOG = LoggerFactory.getLogger(InferenceServer.class);

  /** Milliseconds that a strategy may be absent before its sessions end. */
  private static final long PATIENCE = 600_000;

  private final Membership membership;
  private final WeightTransfer weights;
  private final ModelFolders folders;
  private final OfferedServices<InferStrategy> strategies;
  private final Leases<Long, HostedSession> sessions;
  private final AtomicLong numbers = new AtomicLong();
  private final List<Registration> calls;

  /** Answers calls from now on. */
  @Activate
  public InferenceServer(
      BundleContext context,
      @Reference Membership membership,
      @Reference WeightTransfer weights,
      @Reference ModelFolders folders) {
    this.membership = membership;
    this.weights = weights;
    this.folders = folders;
    this.strategies =
        new OfferedServices<>(
            context, membership, InferenceHost.STRATEGIES, _ -> "", this::leaving);
    this.sessions = new Leases<>(membership, (_, session, _) -> session.close());
    this.calls =
        List.of(
            InferenceHost.CONTRACT.serve(membership, Host::new),
            InferenceHost.SESSIONS.serve(
                membership, (from, number, _) -> Target.of(session(from, number))));
    strategies.open();
  }

  /** Returns {@code config} with the folders of this machine and all of its cores. */
  private static SessionConfig placed(SessionConfig config, Path folder, @Nullable Path adapter) {
    WorkerConfig worker = config.worker();
    return new SessionConfig(
        worker.withModel(worker.model().in(folder, adapter)).withDevices(List.of()),
        config.seed(),
        config.maxGradNorm(),
        config.sequenceLength(),
        config.synchronous(),
        0);
  }

  private HostedSession session(Member from, long number) {
    HostedSession session = sessions.get(number, from);
    if (session == null) {
      throw new IllegalStateException("there is no session " + number + " any more");
    }
    return session;
  }

  /** The inference server as the node {@code from} calls it. */
  private final class Host implements InferenceHost {
    private final Member from;

    Host(Member from) {
      this.from = from;
    }

    @Override
    public CompletableFuture<Opened> open(
        long strategy, SessionConfig config, FolderOffer model, @Nullable FolderOffer adapter) {
      Path folder = folders.fetch(from, model);
      Path adapters = adapter == null ? null : folders.fetch(from, adapter);
      long number = numbers.incrementAndGet();
      HostedSession session =
          new HostedSession(
              from,
              strategy,
              strategies.get(strategy).open(placed(config, folder, adapters)),
              new ReceivedWeights(weights, config.worker().role()));
      sessions.put(number, from, session);
      try {
        var unused = strategies.get(strategy);
      } catch (IllegalStateException e) { // gone meanwhile
        sessions.end(number, "its strategy is gone");
        throw e;
      }
      LOG.info("{} opened session {} of {}", from, number, config.worker().role());
      return CompletableFuture.completedFuture(new Opened(number, weights.port()));
    }

    @Override
    public void newest(String role, long version) {
      weights.status().announced(role, version);
    }

    @Override
    public CompletableFuture<Void> close(long number) {
      var unused = session(from, number);
      sessions.end(number, "its owner has closed it");
      return CompletableFuture.completedFuture(null);
    }
  }

  private void leaving(long strategy) {
    try {
      for (Map.Entry<Long, HostedSession> session : sessions.all().entrySet()) {
        if (session.getValue().strategy() == strategy) {
          session.getValue().drain(PATIENCE);
          sessions.end(session.getKey(), "its strategy is gone");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all offers and sessions. */
  @Deactivate
  public void deactivate() {
    if (membership.ended().isDone()) {
      sessions.endAll("the run is over"); // their results are not used any more
    }
    strategies.close(); // waits for what is computed; the calls are answered meanwhile
    calls.forEach(Registration::close);
    sessions.close();
  }
}
