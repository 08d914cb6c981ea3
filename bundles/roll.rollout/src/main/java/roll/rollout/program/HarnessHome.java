package roll.rollout.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.config.AgentRunnerConfig;

/** The home and the working directory of one run of a harness. */
final class HarnessHome {
  /**
   * Variables of roll's environment that a harness sees; others may be secrets, which the commands
   * of a model could print.
   */
  static final Set<String> KEPT = Set.of("PATH", "LANG", "LC_ALL", "TZ", "USER", "SHELL", "TERM");

  private final AgentRunnerConfig config;
  private final HarnessTexts texts;
  private final Path work;

  private HarnessHome(AgentRunnerConfig config, HarnessTexts texts, Path work) {
    this.config = config;
    this.texts = texts;
    this.work = work;
  }

  /** Creates a home and a working directory in {@code folder} for {@code task}. */
  static HarnessHome create(Path folder, AgentRunnerConfig config, AgentTask task)
      throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path work = Files.createDirectory(folder.resolve("work"));
    HarnessTexts texts = HarnessTexts.of(config, task, home.toString(), work.toString());
    for (String own : HarnessTexts.FOLDERS.values()) {
      Files.createDirectories(home.resolve(own));
    }
    for (Map.Entry<Path, String> file : texts.files().entrySet()) {
      Files.createDirectories(Objects.requireNonNull(file.getKey().getParent()));
      Files.writeString(file.getKey(), file.getValue());
    }
    return new HarnessHome(config, texts, work);
  }

  /** Returns the command, whose program is found from any working directory. */
  List<String> command() {
    List<String> command = new ArrayList<>(texts.command());
    Path program = ProcessGroup.find(command.getFirst(), config.environment().get("PATH"));
    if (program != null) {
      command.set(0, program.toAbsolutePath().toString());
    }
    return command;
  }

  /** Returns the variables of the home and those of the configuration. */
  Map<String, String> variables() {
    return texts.variables();
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
