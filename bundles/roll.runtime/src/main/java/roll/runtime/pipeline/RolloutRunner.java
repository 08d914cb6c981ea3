package roll.runtime.pipeline;

import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Starts rollouts without training. */
@ProviderType
public interface RolloutRunner {
  /**
   * Starts a rollout in the background.
   *
   * @param config as returned by {@link roll.runtime.config.ConfigLoader#loadForRollout}
   * @param validation whether the episodes of val_env_manager are played, else those of
   *     train_env_manager
   * @param episodes their number, in smaller groups if they do not fill whole ones; 0 for the
   *     number in the configuration
   * @throws roll.api.option.UserException if it cannot start: something is missing or does not fit,
   *     the output folder is taken or cannot be written
   */
  RolloutRun start(LoadedConfig config, boolean validation, int episodes);
}
