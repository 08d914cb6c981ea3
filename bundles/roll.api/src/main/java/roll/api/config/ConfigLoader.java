package roll.api.config;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Reads a training configuration: composition, interpolation, overrides, checks. */
@ProviderType
public interface ConfigLoader {
  /**
   * Loads {@code file} and applies {@code overrides} of the form {@code key.path=value}, later ones
   * winning.
   *
   * @throws UserException naming file, key, value found and what is allowed
   */
  LoadedConfig load(Path file, List<String> overrides);
}
