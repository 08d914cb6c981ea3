package roll.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import roll.api.option.Option;

/**
 * Script of a bundle for the user's Python and packages. The interpreter receives it as an
 * argument, after {@code serve(answer)}, which implements the protocol, {@code named(written)},
 * which loads functions and classes, and {@code awaited(value)}: no file is written.
 *
 * @param source source code
 */
public record PythonScript(String source) {
  /** Option: the Python interpreter. */
  public static final Option<String> PYTHON =
      Option.text("python", "the interpreter, such as that of a virtual environment")
          .withDefault("python3");

  /** Reads the resource {@code name} of {@code owner}. */
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

  /**
   * Returns the user's function {@code written} as the script's {@code named} takes it: of
   * file.py:function the file's absolute path, whatever the program's working directory.
   */
  public static String absolute(String written) {
    int colon = written.lastIndexOf(':');
    return colon < 0
        ? written
        : Path.of(written.substring(0, colon)).toAbsolutePath() + written.substring(colon);
  }

  /** Returns the command that runs it with {@code python}, without writing bytecode files. */
  public List<String> command(String python, String... arguments) {
    List<String> command = new ArrayList<>(List.of(python, "-B", "-c", source));
    command.addAll(List.of(arguments));
    return command;
  }
}
