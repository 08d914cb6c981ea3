package roll.runtime.pipeline;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Predicts the memory of a run on its devices, without any compute. */
@ProviderType
public interface Planner {
  /**
   * The plan of {@code config}, whether it fits or not.
   *
   * @throws roll.api.option.UserException if a plugin or value that it names is missing or wrong
   */
  Plan plan(LoadedConfig config);

  /**
   * What a step of {@code config} sends and computes on machines that need not be here.
   *
   * @throws roll.api.option.UserException as {@link #plan}
   */
  TrafficPlan traffic(LoadedConfig config, ClusterShape shape);

  /**
   * What {@code config} will write, hold and take; null where nothing is known of its models, as by
   * a planner that knows no better.
   *
   * @throws roll.api.option.UserException as {@link #plan}
   */
  default @Nullable Estimates estimate(LoadedConfig config) {
    return null;
  }
}
