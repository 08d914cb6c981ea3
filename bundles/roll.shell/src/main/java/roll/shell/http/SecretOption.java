package roll.shell.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.UserPath;

/**
 * A secret of a command: as an option, which other users of the machine see among the processes, in
 * a file, or in an environment variable.
 *
 * @param name of the option; the file's is that with {@code -file} behind it
 * @param variable of the environment
 * @param description of the secret, one phrase
 */
public record SecretOption(String name, String variable, String description) {
  private static final int LONGEST = 4096;

  /** What {@link #read} reads. */
  public List<Option> options() {
    return List.of(
        Option.optional(name, "text", description + " (or $" + variable + "; others see options)"),
        Option.optional(file(), "file", "the same, the only line of a file"));
  }

  private String file() {
    return name + "-file";
  }

  /**
   * The secret: that of the option or the file, else that of the environment; null where none is
   * given.
   *
   * @throws roll.api.option.UserException if option and file are given, or there is no line in it
   */
  public @Nullable String read(CommandSession session, Arguments given) {
    return read(session, given, System::getenv);
  }

  /** The same with the variables of {@code environment}. */
  @Nullable String read(
      CommandSession session, Arguments given, Function<String, @Nullable String> environment) {
    String text = given.optional(name);
    String file = given.optional(file());
    if (text != null && file != null) {
      throw given.syntax().wrong(name + " and " + file() + " say the same: one of them is enough");
    }
    if (file != null) {
      return line(UserPath.of(session, file), given);
    }
    return text != null ? text : from(environment);
  }

  /** The secret of the environment, for commands without the option; null where none is set. */
  public @Nullable String ofEnvironment() {
    return from(System::getenv);
  }

  private @Nullable String from(Function<String, @Nullable String> environment) {
    String value = environment.apply(variable);
    return value == null || value.isBlank() ? null : value;
  }

  private String line(Path file, Arguments given) {
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(LONGEST + 1), StandardCharsets.UTF_8).strip();
      if (text.isEmpty() || text.length() > LONGEST || text.lines().count() > 1) {
        throw given
            .syntax()
            .wrong(
                "%s: expected one line of at most %d characters in %s"
                    .formatted(file(), LONGEST, file));
      }
      return text;
    } catch (IOException e) {
      throw given.syntax().wrong(file() + ": " + file + " cannot be read");
    }
  }
}
