package roll.core.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.runtime.config.LoadedConfig;

/**
 * The file {@code config.yaml} of an output folder: the effective configuration of the run, as of
 * its last start or swap.
 */
public final class EffectiveConfig {
  private static final String NAME = "config.yaml";
  private static final String RESUME = "resume_from_checkpoint";
  private static final Pattern TOP_LEVEL = Pattern.compile("(\\w+):.*");
  private static final long MOST_BYTES = 16 << 20;

  private EffectiveConfig() {}

  /** Writes or replaces the file atomically, so that no reader sees it half written. */
  public static void write(LoadedConfig config) throws IOException {
    Path folder = config.run().outputDir();
    Path beside = folder.resolve(".config.yaml.tmp");
    RegularFile.replace(beside, config.effectiveYaml());
    Files.move(beside, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Returns a line with the top-level keys whose values in {@code config} are not those of the file
   * in its output folder; empty if all are, or there is none. Whether to resume does not count.
   */
  public static Optional<String> changes(LoadedConfig config) throws IOException {
    Path file = config.run().outputDir().resolve(NAME);
    if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
      return Optional.empty();
    }
    Map<String, String> before =
        values(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    Map<String, String> now = values(config.effectiveYaml());
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(now.keySet());
    keys.removeIf(key -> Objects.equals(before.get(key), now.get(key)));
    keys.remove(RESUME);
    return keys.isEmpty()
        ? Optional.empty()
        : Optional.of("changed since the last start: " + String.join(", ", keys));
  }

  /** Returns the lines of each top-level key of {@code yaml}, whose other lines are indented. */
  private static Map<String, String> values(String yaml) {
    Map<String, String> values = new HashMap<>();
    String key = RESUME;
    for (String line : yaml.lines().toList()) {
      Matcher top = TOP_LEVEL.matcher(line);
      key = top.matches() ? top.group(1) : key;
      values.merge(key, line + "\n", String::concat);
    }
    return values;
  }
}
