package roll.rollout.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import roll.api.config.AgentRunnerConfig;

/**
 * The home and the working directory of one run of a harness, and its command, variables and files
 * with the values of the episode in place of placeholders such as <code>{question}</code>.
 */
final class HarnessHome {
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(question|base_url|api_key|model|home|work)\\}");

  /** Folders in which programs put their own files, by the variables that name them. */
  private static final Map<String, String> FOLDERS =
      Map.of(
          "XDG_CONFIG_HOME", ".config",
          "XDG_CACHE_HOME", ".cache",
          "XDG_DATA_HOME", ".local/share",
          "XDG_STATE_HOME", ".local/state",
          "TMPDIR", "tmp");

  /**
   * Variables of roll's environment that a harness sees; others may be secrets, which the commands
   * of a model could print.
   */
  static final Set<String> KEPT = Set.of("PATH", "LANG", "LC_ALL", "TZ", "USER", "SHELL", "TERM");

  private final AgentRunnerConfig config;
  private final Path home;
  private final Path work;
  private final Map<String, String> values;

  private HarnessHome(AgentRunnerConfig config, Path home, Path work, Map<String, String> values) {
    this.config = config;
    this.home = home;
    this.work = work;
    this.values = values;
  }

  /** Creates a home and a working directory in {@code folder} for {@code task}. */
  static HarnessHome create(Path folder, AgentRunnerConfig config, AgentTask task)
      throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path work = Files.createDirectory(folder.resolve("work"));
    Map<String, String> values = new LinkedHashMap<>(task.values());
    values.put("home", home.toString());
    values.put("work", work.toString());
    HarnessHome made = new HarnessHome(config, home, work, values);
    for (String own : FOLDERS.values()) {
      Files.createDirectories(home.resolve(own));
    }
    for (Map.Entry<String, String> file : config.files().entrySet()) {
      made.write(file.getKey(), made.filled(file.getValue()));
    }
    return made;
  }

  private void write(String name, String text) throws IOException {
    Path file = home.resolve(name).normalize();
    if (!file.startsWith(home) || file.equals(home)) {
      throw new IOException("agent_runner.files: '" + name + "' is not in the home");
    }
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
  }

  private String filled(String text) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(Objects.requireNonNull(values.get(found.group(1)))));
  }

  /** Returns the command, whose program is found from any working directory. */
  List<String> command() {
    List<String> command = new ArrayList<>(config.command().stream().map(this::filled).toList());
    Path program = ProcessGroup.find(command.getFirst(), config.environment().get("PATH"));
    if (program != null) {
      command.set(0, program.toAbsolutePath().toString());
    }
    return command;
  }

  /** Returns the variables of the home and those of the configuration. */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("HOME", home.toString());
    FOLDERS.forEach((name, own) -> variables.put(name, home.resolve(own).toString()));
    config.environment().forEach((name, value) -> variables.put(name, filled(value)));
    return variables;
  }

  /** Returns the working directory. */
  Path work() {
    return work;
  }

  /** Deletes {@code folder} with all in it, which may be write-protected. */
  static void delete(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    collect(folder, entries);
    for (Path entry : entries.reversed()) {
      Files.deleteIfExists(entry);
    }
  }

  private static void collect(Path entry, List<Path> entries) throws IOException {
    entries.add(entry);
    if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
      Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("rwx------"));
      try (Stream<Path> inside = Files.list(entry)) {
        for (Path one : inside.sorted(Comparator.naturalOrder()).toList()) {
          collect(one, entries);
        }
      }
    }
  }
}
