package roll.config;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** A test of what overrides of {@link ConfigFiles#SMALL} come to. */
abstract class SmallConfigFixture {
  @TempDir Path folder = Path.of("");

  /** The files in {@link #folder}, a model among them. */
  final ConfigFiles files() {
    return new ConfigFiles(folder);
  }

  final LoadedConfig load(String... overrides) {
    return files().load(ConfigFiles.SMALL, overrides);
  }

  final RunConfig run(String... overrides) {
    return load(overrides).run();
  }

  /** The complaint, without the folder's name. */
  final String complaint(String... overrides) {
    return files().complaint(ConfigFiles.SMALL, overrides);
  }
}
