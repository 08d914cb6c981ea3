package roll.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import roll.api.option.Option;

/**
 * A script that a bundle carries, run by the user's Python with the user's packages. It is given to
 * the interpreter as text, after the function {@code serve(answer)} that speaks the protocol: no
 * file is written.
 *
 * @param source of the script
 */
public record PythonScript(String source) {
  /** The interpreter. */
  public static final Option<String> PYTHON =
      Option.text("python", "the interpreter, such as that of a virtual environment")
          .withDefault("python3");

  /** The resource {@code name} beside {@code owner}. */
  public static PythonScript of(Class<?> owner, String name) {
    return new PythonScript(read(PythonScript.class, "serve.py") + read(owner, name));
  }

  private static String read(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The line that runs it by {@code python}, which writes no bytecode beside a user's files. */
  public List<String> command(String python, String... arguments) {
    List<String> command = new ArrayList<>(List.of(python, "-B", "-c", source));
    command.addAll(List.of(arguments));
    return command;
  }
}
