package roll.runtime.config;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.option.UserException;

/** Reads a training configuration: composition, interpolation, overrides, checks. */
@ProviderType
public interface ConfigLoader {
  /**
   * Loads {@code file} and applies {@code overrides} of the form {@code key.path=value}, later ones
   * winning. The empty path is no file: then the overrides say everything.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  LoadedConfig load(Path file, List<String> overrides);

  /**
   * Loads a configuration for a rollout, which needs less than training: batch sizes need not fit
   * an optimizer, and where no model is named (its folders are then the empty path) no length and
   * no settings of sampling are needed either. By default the requirements of training apply.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  default LoadedConfig loadForRollout(Path file, List<String> overrides) {
    return load(file, overrides);
  }

  /**
   * Loads the configuration of a supervised warm start, which has a section {@code sft} or {@code
   * preference} and needs no environments. By default it is refused.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  default LoadedSft loadForSft(Path file, List<String> overrides) {
    throw new UserException(file + ": this system has no supervised warm start");
  }

  /**
   * Loads a configuration for the purpose that its sections imply: a supervised warm start where it
   * has a section {@code sft} or {@code preference} and no environments, otherwise a training run.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  default LoadedConfig loadAsWritten(Path file, List<String> overrides) {
    return load(file, overrides);
  }

  /**
   * Returns all keys a configuration may have, as dotted paths with a star in place of any name,
   * such as {@code custom_envs.*.env_type}; used for completion. Empty by default.
   */
  default List<String> keys() {
    return List.of();
  }
}
