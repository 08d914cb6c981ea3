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
   * The same for a rollout, which demands less: batch sizes need not fit an optimizer, and where no
   * model is named (its folders are then the empty path) no length and no settings of sampling are
   * needed either. A loader that knows no better demands as much as of a training run.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  default LoadedConfig loadForRollout(Path file, List<String> overrides) {
    return load(file, overrides);
  }

  /**
   * The same for a supervised warm start, which has a section {@code sft} and needs no
   * environments. A loader that knows no better refuses.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  default LoadedSft loadForSft(Path file, List<String> overrides) {
    throw new UserException(file + ": this system has no supervised warm start");
  }

  /**
   * Loads it for what it says: for a supervised warm start where it has a section {@code sft} and
   * no environments, else for a training run.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  default LoadedConfig loadAsWritten(Path file, List<String> overrides) {
    return load(file, overrides);
  }

  /**
   * The keys that a configuration may have, as dotted paths in which a star stands for any name,
   * such as {@code custom_envs.*.env_type}; for completion. A loader that knows no better has none.
   */
  default List<String> keys() {
    return List.of();
  }
}
