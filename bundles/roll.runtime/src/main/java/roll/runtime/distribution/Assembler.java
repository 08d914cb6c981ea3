package roll.runtime.distribution;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Assembles distributions with exactly the bundles that one training configuration needs. */
@ProviderType
public interface Assembler {
  /**
   * Writes the folder {@code target} and the archive {@code target}.zip: the bundles that the
   * configuration's names lead to, libtorch, the configuration with its models and files, and a
   * list of all parts with reasons. They appear complete or not at all.
   *
   * @param config a configuration that passed every check
   * @param target must not exist, or be an empty folder
   * @param jar whether {@code target}.jar is written too: bundles and libtorch in one file
   * @param with names of additional bundles
   * @throws roll.api.option.UserException if a target is taken, or no available bundle provides a
   *     required capability
   */
  AssembledDistribution assemble(LoadedConfig config, Path target, boolean jar, List<String> with);
}
