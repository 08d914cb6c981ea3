package roll.core.plan;

import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.device.DeviceInspector;
import roll.api.plugin.Plugins;
import roll.core.plugin.NoModelSupport;
import roll.core.plugin.StrategyChecks;
import roll.decoder.ModelSpecs;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.Estimates;
import roll.runtime.pipeline.Plan;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.TrafficPlan;

/** Asks the strategy of each role what it will hold while a phase continues. */
@Component(name = "roll.core.planner")
public final class CorePlanner implements Planner {
  private final StrategyChecks strategies;
  private final @Nullable ModelSpecs models;
  private final @Nullable DeviceInspector devices;

  /** The planner of this framework; it plans nothing where nothing reads models. */
  @Activate
  public CorePlanner(
      @Reference Plugins plugins,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable ModelSpecs models,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable DeviceInspector devices) {
    this.devices = devices;
    this.strategies = new StrategyChecks(plugins);
    this.models = models;
  }

  @Override
  public Plan plan(LoadedConfig config) {
    if (models == null) {
      throw NoModelSupport.complaint("plan");
    }
    return PlanBuilder.plan(config.run(), strategies, models, devices);
  }

  @Override
  public @Nullable Estimates estimate(LoadedConfig config) {
    return models == null
        ? null
        : new EstimateBuilder(config, models)
            .build(
                config.onlySft()
                    ? null
                    : PlanBuilder.plan(config.run(), strategies, models, devices),
                devices);
  }

  @Override
  public TrafficPlan traffic(LoadedConfig config, ClusterShape shape) {
    if (models == null) {
      throw NoModelSupport.complaint("plan");
    }
    return new TrafficBuilder(config.run(), strategies, models, shape).build();
  }
}
