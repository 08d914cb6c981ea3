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
 * A secret of a command, given as an option (visible to other users in the process list), in a
 * file, or in an environment variable.
 *
 * @param name of the option; {@code <name>-file} is the option for the file
 * @param variable environment variable
 * @param description of the secret, one phrase
 */
public record SecretOption(String name, String variable, String description) {
  private static final int LONGEST = 4096;

  /** Returns the options that {@link #read} reads. */
  public List<Option> options() {
    return List.of(
        Option.optional(
            name, "text", description + " (safer in $" + variable + ": others can see options)"),
        Option.optional(file(), "file", "file with this text as its only line"));
  }

  private String file() {
    return name + "-file";
  }

  /**
   * Returns the secret of the option or the file, else that of the environment; null if none is
   * given.
   *
   * @throws roll.api.option.UserException if both option and file are given, or the file has no
   *     line
   */
  public @Nullable String read(CommandSession session, Arguments given) {
    return read(session, given, System::getenv);
  }

  /** Like {@link #read(CommandSession, Arguments)}, with the variables of {@code environment}. */
  @Nullable String read(
      CommandSession session, Arguments given, Function<String, @Nullable String> environment) {
    String text = given.optional(name);
    String file = given.optional(file());
    if (text != null && file != null) {
      throw given.syntax().wrong(name + " and " + file() + " are both given: use one of them");
    }
    if (file != null) {
      return line(UserPath.of(session, file), given);
    }
    return text != null ? text : from(environment);
  }

  /** Returns the secret of the environment variable, or null if it is not set. */
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
