package roll.sweep;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;

/**
 * The command that starts a roll process with the same Java, options and jar as this one.
 *
 * @param command words before the arguments
 */
record RunLaunch(List<String> command) {
  /**
   * JVM option that makes the process save and stop when its standard input ends; see {@code
   * roll.main}.
   */
  private static final String ATTENDED = "-Droll.attended=true";

  /** Options that must not be shared: the locked folder of temporary files, a debugger. */
  private static final List<String> OWN = List.of("-Droll.tmp.dir=", "-agentlib:jdwp", "-Xrunjdwp");

  RunLaunch {
    command = List.copyOf(command);
  }

  /**
   * Returns the command that started this process.
   *
   * @throws UserException if it was not started by {@code java -jar}
   */
  static RunLaunch own() {
    return of(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        ManagementFactory.getRuntimeMXBean().getInputArguments(),
        System.getProperty("java.class.path", ""),
        System.getProperty("java.io.tmpdir"));
  }

  /**
   * Returns the command that starts {@code jar}.
   *
   * @param options of the JVM
   * @param temporary folder of temporary files, shared by all runs
   */
  static RunLaunch of(Path java, List<String> options, String jar, String temporary) {
    if (!jar.endsWith(".jar") || !Files.isRegularFile(Path.of(jar))) {
      throw new UserException(
          "sweep: runs are processes started from roll.jar, but this process was not");
    }
    List<String> command = new ArrayList<>(List.of(java.toString()));
    options.stream()
        .filter(option -> OWN.stream().noneMatch(option::startsWith))
        .forEach(command::add);
    command.add("-Djna.tmpdir=" + temporary);
    command.add(ATTENDED);
    command.addAll(List.of("-jar", Path.of(jar).toAbsolutePath().toString()));
    return new RunLaunch(command);
  }
}
