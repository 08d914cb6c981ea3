package roll.core.plan;

import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.plugin.Plugins;
import roll.core.plugin.ModelSupport;
import roll.core.plugin.StrategyChecks;
import roll.decoder.ModelSpecs;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.RunEstimates;
import roll.runtime.pipeline.TrafficPlan;

/** Predicts the memory of a run by asking the strategy of each role. */
@Component(name = "roll.core.planner")
public final class CorePlanner implements Planner {
  private final StrategyChecks strategies;
  private final ModelSupport models;

  /** Creates the planner; without a reader of models it plans nothing. */
  @Activate
  public CorePlanner(@Reference Plugins plugins, @Reference ModelSupport models) {
    this.strategies = new StrategyChecks(plugins);
    this.models = models;
  }

  @Override
  public MemoryPlan plan(LoadedConfig config) {
    return plan(config, models.requireSpecs("plan"));
  }

  @Override
  public @Nullable RunEstimates estimate(LoadedConfig config) {
    ModelSpecs specs = models.specs();
    return specs == null
        ? null
        : new EstimateBuilder(config, specs)
            .build(config.onlySft() ? null : plan(config, specs), models.devices());
  }

  private MemoryPlan plan(LoadedConfig config, ModelSpecs specs) {
    return PlanBuilder.plan(config.run(), strategies, specs, models.devices());
  }

  @Override
  public TrafficPlan traffic(LoadedConfig config, ClusterShape shape) {
    return new TrafficBuilder(config.run(), strategies, models.requireSpecs("plan"), shape).build();
  }
}
