package roll.shell.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.runtime.config.LoadedConfig;
import roll.runtime.option.Secrets;
import roll.runtime.pipeline.RunEstimates;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Table;

/** The arguments of commands on a training configuration. */
public final class ConfigFile {
  /** Help text for all arguments, as Gogo shows it. */
  static final String ARGUMENTS = "config.yaml [key=value …]";

  private static final String CONFIG =
      "the training configuration (or --config_path <folder> --config_name <name>)";

  private static final Word KEYS =
      Word.any(
          Syntax.KEYS,
          "sets a key, for example actor_train.training_args.learning_rate=1e-4, or an option of"
              + " verl or AgentFly; +key=value adds a key, ~key removes one");

  /** The arguments of commands that need a file. */
  public static final List<Word> WORDS = List.of(Word.one("config.yaml", CONFIG), KEYS);

  /** The arguments of commands that need no file if keys are given. */
  static final List<Word> OR_KEYS =
      List.of(Word.one("config.yaml", CONFIG + "; optional if keys are given"), KEYS);

  private static final String RESUME = "resume_from_checkpoint=";
  private static final Pattern KEY =
      Pattern.compile("\\+{0,2}[\\w.\\[\\]-]+=.*|~.*", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][\\w.\\[\\]-]*");
  private static final Path NONE = Path.of("");
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ConfigFile() {}

  /** Returns the configuration file; the empty path if the first argument sets a key. */
  public static Path of(CommandSession session, Arguments given) {
    Path file = UserPath.of(session, given.word(0));
    return KEY.matcher(given.word(0)).matches() && !Files.exists(file) ? NONE : file;
  }

  /** Returns the keys that are set, for commands that need no file. */
  public static List<String> overrides(CommandSession session, Arguments given) {
    return keys(given, of(session, given).equals(NONE) ? 0 : 1);
  }

  /**
   * Returns the keys set by the arguments from {@code index} on.
   *
   * @throws roll.api.option.UserException if a key and its value are separate arguments
   */
  public static List<String> keys(Arguments given, int index) {
    List<String> keys = given.from(index);
    for (int i = 0; i + 1 < keys.size(); i++) {
      String key = keys.get(i);
      String next = keys.get(i + 1);
      if (NAME.matcher(key).matches() && !KEY.matcher(next).matches()) {
        String value = next.equals("=") && i + 2 < keys.size() ? keys.get(i + 2) : next;
        throw given
            .syntax()
            .wrong("'%s' sets no key: write %1$s=%s".formatted(key, value.replaceFirst("^=", "")));
      }
    }
    return keys;
  }

  /** Returns the name of {@code file} for messages. */
  static String name(Path file) {
    return file.equals(NONE) ? "the command line" : file.toString();
  }

  /**
   * Returns the numbers derived from a configuration, each line after {@code indent}.
   *
   * @param estimates of disk, memory and time, or null
   */
  static String numbers(LoadedConfig config, @Nullable RunEstimates estimates, String indent) {
    Table table = new Table();
    config.derived().forEach((name, value) -> table.row(indent + name, String.valueOf(value)));
    if (estimates != null) {
      EstimateRows.of(config, estimates)
          .forEach(row -> table.row(indent + row.getKey(), row.getValue()));
    }
    return indent.isBlank() ? table.toString() : table.unbounded(); // a comment is one line
  }

  /** Returns the arguments that continue a run started with {@code words}, without secrets. */
  static String again(List<String> words) {
    String kept =
        words.stream()
            .filter(word -> !word.startsWith(RESUME))
            .map(ConfigFile::withoutSecret)
            .map(ConfigFile::quoted)
            .collect(Collectors.joining(" "));
    return kept + " " + RESUME + "true";
  }

  private static String withoutSecret(String word) {
    int equals = word.indexOf('=');
    return equals > 0 && Secrets.is(word.substring(0, equals))
        ? word.substring(0, equals + 1) + "…"
        : word;
  }

  /** Returns {@code word} quoted for a POSIX shell. */
  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
