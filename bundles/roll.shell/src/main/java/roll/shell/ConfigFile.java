package roll.shell;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import roll.api.config.LoadedConfig;
import roll.api.config.Secrets;
import roll.shell.Syntax.Word;

/** What commands on a training configuration have in common. */
final class ConfigFile {
  /** Help for all arguments at once, as Gogo shows it. */
  static final String ARGUMENTS = "config.yaml [key=value …]";

  /** The arguments. */
  static final List<Word> WORDS =
      List.of(
          Word.one("config.yaml", "the training configuration"),
          Word.any(
              "key=value",
              "sets a key of it, for example actor_train.training_args.learning_rate=1e-4"));

  private static final String RESUME = "resume_from_checkpoint=";
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ConfigFile() {}

  /** The numbers that follow from a configuration, each line after {@code indent}. */
  static String numbers(LoadedConfig config, String indent) {
    Table table = new Table();
    config.derived().forEach((name, value) -> table.row(indent + name, String.valueOf(value)));
    return table.toString();
  }

  /**
   * The arguments that continue a run which was started with {@code words}; secrets are left out,
   * as on a screen others may look at.
   */
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

  /** {@code word} as a POSIX shell reads it. */
  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
