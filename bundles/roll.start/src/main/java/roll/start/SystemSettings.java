package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The system properties {@code roll.*} of a distribution. They are checked before the framework
 * starts: a bundle that finds a wrong one could only fail, and take others with it.
 */
final class SystemSettings {
  private static final Value TEXT = new Value("a text", value -> true);
  private static final Value PROGRAM = new Value("a program", value -> !value.isBlank());
  private static final Value FOLDER = new Value("a folder", SystemSettings::mayBeFolder);
  private static final Map<String, Value> KNOWN =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("roll.attended", word("true or false", "true|false")),
              Map.entry(WritableFolders.CACHE, FOLDER),
              Map.entry("roll.cluster.bundles.cache", FOLDER),
              Map.entry("roll.cluster.cache", FOLDER),
              Map.entry("roll.collectives.gloo.clear_text", word("'allowed'", "allowed")),
              Map.entry("roll.deploy.dir", FOLDER),
              Map.entry("roll.deploy.timeout", seconds(1)),
              Map.entry("roll.djl.native.dir", FOLDER),
              Map.entry("roll.health.address", TEXT),
              Map.entry("roll.health.hosts", TEXT),
              Map.entry("roll.health.port", TEXT), // the endpoint reports it and training continues
              Map.entry("roll.log.dir", FOLDER),
              Map.entry(
                  "roll.log.level",
                  word("error, warn, info, debug or trace", "(?i)error|warn|info|debug|trace")),
              Map.entry("roll.log.quiet", TEXT),
              Map.entry("roll.python", TEXT),
              Map.entry("roll.retire.timeout", seconds(0)),
              Map.entry("roll.sandbox.python_process.launcher", TEXT),
              Map.entry("roll.sandbox.python_process.python", PROGRAM),
              Map.entry(TemporaryFolder.FOLDER, FOLDER),
              Map.entry("roll.workspace.container.engine", TEXT),
              Map.entry("roll.workspace.container.image", TEXT),
              Map.entry("roll.workspace.container.options", TEXT),
              Map.entry("roll.workspace.local.python", PROGRAM),
              Map.entry("roll.workspace.local.readable", TEXT)));

  private SystemSettings() {}

  /**
   * The values that a setting may have.
   *
   * @param allowed in words
   * @param accepts whether a value is allowed
   */
  private record Value(String allowed, Predicate<String> accepts) {}

  /**
   * Checks {@code properties}.
   *
   * @throws IOException naming the first setting that is wrong, or unknown beside a known one;
   *     other unknown ones may be a plugin's
   */
  static void require(Properties properties) throws IOException {
    for (String name : new TreeMap<>(properties).keySet().stream().map(Object::toString).toList()) {
      Value known = KNOWN.get(name);
      String value = properties.getProperty(name, "");
      if (known != null && !known.accepts().test(value)) {
        throw new IOException(
            "-D%s: expected %s, found '%s'".formatted(name, known.allowed(), value));
      }
      String beside =
          KNOWN.keySet().stream()
              .filter(other -> !family(name).equals("roll.") && family(name).equals(family(other)))
              .collect(Collectors.joining(", "));
      if (known == null && !beside.isEmpty()) {
        throw new IOException("-D%s: no such setting (known: %s)".formatted(name, beside));
      }
    }
  }

  private static String family(String name) {
    return name.substring(0, name.lastIndexOf('.') + 1);
  }

  private static Value word(String allowed, String pattern) {
    return new Value(allowed, value -> value.matches(pattern));
  }

  private static Value seconds(int least) {
    return new Value(
        "seconds, an integer from %d to 999999999".formatted(least),
        value -> value.matches("\\d{1,9}") && Integer.parseInt(value) >= least);
  }

  private static boolean mayBeFolder(String value) {
    return !value.isBlank() && (!Files.exists(Path.of(value)) || Files.isDirectory(Path.of(value)));
  }
}
