package roll.runtime.pipeline;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Predicts the memory of a run on its devices, without any compute. */
@ProviderType
public interface Planner {
  /**
   * Returns the memory plan of {@code config}, whether it fits or not.
   *
   * @throws roll.api.option.UserException if a plugin or value that it names is missing or wrong
   */
  MemoryPlan plan(LoadedConfig config);

  /**
   * Estimates the traffic and computing time of a step of {@code config} on machines of the given
   * shape.
   *
   * @throws roll.api.option.UserException as {@link #plan}
   */
  TrafficPlan traffic(LoadedConfig config, ClusterShape shape);

  /**
   * Estimates disk, memory and time of {@code config}; null if nothing is known of its models. Null
   * by default.
   *
   * @throws roll.api.option.UserException as {@link #plan}
   */
  default @Nullable RunEstimates estimate(LoadedConfig config) {
    return null;
  }
}
