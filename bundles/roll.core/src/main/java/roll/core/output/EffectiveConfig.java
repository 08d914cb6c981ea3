package roll.core.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import roll.runtime.config.LoadedConfig;

/**
 * Writes the file {@code config.yaml} of an output folder: the effective configuration of the run.
 */
public final class EffectiveConfig {
  private EffectiveConfig() {}

  /** Writes or replaces the file atomically, so that no reader sees it half written. */
  public static void write(LoadedConfig config) throws IOException {
    Path folder = config.run().outputDir();
    Path beside = folder.resolve(".config.yaml.tmp");
    RegularFile.replace(beside, config.effectiveYaml());
    Files.move(beside, folder.resolve("config.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }
}
