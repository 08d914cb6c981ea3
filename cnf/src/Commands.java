import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Programs that a release calls, with the JDK that runs this. */
final class Commands {
  private Commands() {}

  /** Returns a program with its arguments. */
  static String[] command(String program, List<String> arguments) {
    return Stream.concat(Stream.of(program), arguments.stream()).toArray(String[]::new);
  }

  /** Returns whether the program is on the PATH. */
  static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** Runs a command, whose output is shown, and returns its status. */
  static int status(Path folder, String... command) throws Exception {
    return builder(folder, command).inheritIO().start().waitFor();
  }

  /** Runs a command, whose output is shown and which must end with 0. */
  static void call(Path folder, String... command) throws Exception {
    if (status(folder, command) != 0) {
      throw failed(folder, command);
    }
  }

  /** Returns what a command prints, which must end with 0. */
  static String output(Path folder, String... command) throws Exception {
    Process process =
        builder(folder, command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw failed(folder, command);
    }
    return output;
  }

  private static Mistake failed(Path folder, String... command) {
    return new Mistake(1, String.join(" ", command) + " failed in " + folder);
  }

  private static ProcessBuilder builder(Path folder, String... command) {
    ProcessBuilder process = new ProcessBuilder(command).directory(folder.toFile());
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return process;
  }
}
