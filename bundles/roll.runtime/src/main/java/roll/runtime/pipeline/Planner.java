package roll.runtime.pipeline;

import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Says what a run will hold on its devices, without any compute. */
@ProviderType
public interface Planner {
  /**
   * The plan of {@code config}, whether it fits or not.
   *
   * @throws roll.api.option.UserException if something that it names is missing or wrong
   */
  Plan plan(LoadedConfig config);
}
