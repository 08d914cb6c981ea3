package roll.runtime.distribution;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Makes distributions that hold what one training configuration needs and nothing more. */
@ProviderType
public interface Assembler {
  /**
   * Writes the folder {@code target} and beside it the same as {@code target}.zip: the bundles that
   * the configuration's names lead to, libtorch, the configuration with its models and files, and a
   * list of what went in and why. What is written appears whole or not at all.
   *
   * @param config a configuration that passed every check
   * @param target must not exist, or be an empty folder
   * @param jar whether {@code target}.jar is written too: bundles and libtorch in one file
   * @param with names of further bundles to take along
   * @throws roll.api.option.UserException if a target is taken, or no bundle at hand offers what is
   *     needed
   */
  Assembly assemble(LoadedConfig config, Path target, boolean jar, List<String> with);
}
