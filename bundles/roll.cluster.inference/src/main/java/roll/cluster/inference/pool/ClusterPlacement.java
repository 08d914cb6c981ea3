package roll.cluster.inference.pool;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Membership;
import roll.cluster.inference.remote.RemoteStrategy;
import roll.cluster.inference.server.Transfers;
import roll.cluster.inference.weights.WeightChannel;
import roll.runtime.worker.InferencePlacement;

/** Pools the session of this process with those of the nodes that play the role. */
@Component(
    name = "roll.cluster.inference",
    property = InferencePlacement.KIND + "=" + InferencePlacement.NAME)
public final class ClusterPlacement implements InferencePlacement {
  private static final Executor THREADS = Thread::startVirtualThread;

  private final BundleContext context;
  private final Membership membership;
  private final Transfers transfers;

  /** Pools over the members of {@code membership}. */
  @Activate
  public ClusterPlacement(
      BundleContext context, @Reference Membership membership, @Reference Transfers transfers) {
    this.context = context;
    this.transfers = transfers;
    this.membership = membership;
  }

  @Override
  public InferSession open(SessionConfig config, InferStrategy strategy, Consumer<String> notices) {
    WeightChannel channel = transfers.weights().channel(config.worker().role());
    EnginePool pool = new EnginePool(THREADS, System::nanoTime, notices);
    boolean elsewhere = strategy instanceof RemoteStrategy;
    boolean continuous = strategy.continuous(config.worker(), config.synchronous());
    @Nullable InferSession local = elsewhere ? null : strategy.open(config);
    return new PooledInferSession(
        config,
        membership.self().name(),
        local,
        continuous,
        pool,
        channel,
        new RemoteEngines(context, membership, config, continuous, pool, channel, notices));
  }
}
