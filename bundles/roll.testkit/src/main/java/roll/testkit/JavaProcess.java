package roll.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands that run a class of a test in a process of its own. */
public final class JavaProcess {
  private JavaProcess() {}

  /**
   * Returns the command that runs {@code main} with the Java and the class path of this process.
   *
   * @param options options of Java
   * @param arguments arguments of the class
   */
  public static ProcessBuilder of(Class<?> main, List<String> options, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }
}
