package roll.cluster.inference.pool;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Membership;
import roll.cluster.inference.ModelFolders;
import roll.cluster.inference.RemoteStrategy;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.ImportedServices;
import roll.runtime.worker.InferencePlacement;

/**
 * Registers the strategies of other nodes as services of the first node, and pools the session of
 * this process with sessions of nodes that have the role.
 */
@Component(
    name = "roll.cluster.inference",
    immediate = true,
    property = InferencePlacement.KIND + "=" + InferencePlacement.NAME)
public final class ClusterPlacement implements InferencePlacement {
  private final Membership membership;
  private final WeightTransfer weights;
  private final ImportedServices<InferStrategy, RemoteStrategy> strategies;

  /** Pools over the nodes of {@code membership}. */
  @Activate
  public ClusterPlacement(
      BundleContext context,
      @Reference Membership membership,
      @Reference WeightTransfer weights,
      @Reference ModelFolders folders) {
    this.membership = membership;
    this.weights = weights;
    this.strategies = RemoteStrategy.imported(context, membership, weights, folders);
  }

  @Override
  public InferSession open(SessionConfig config, InferStrategy strategy, Consumer<String> notices) {
    WeightChannel channel = weights.channel(config.worker().role());
    EnginePool pool = new EnginePool(Thread::startVirtualThread, System::nanoTime, notices);
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
        new RemoteEngines(strategies, membership, config, continuous, pool, channel, notices));
  }

  /** Returns the inference strategies of other nodes. */
  public ImportedServices<InferStrategy, RemoteStrategy> strategies() {
    return strategies;
  }

  /** Removes the strategies of other nodes. */
  @Deactivate
  public void deactivate() {
    strategies.close();
  }
}
