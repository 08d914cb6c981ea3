package roll.sweep;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;

/**
 * How a process of roll is started: as this one was, with the same Java, options and jar.
 *
 * @param command everything before the arguments
 */
record RunLaunch(List<String> command) {
  /** Tells the process that it ends, saving, when its input does; {@code roll.main} reads it. */
  private static final String ATTENDED = "-Droll.attended=true";

  /** Options that are of one process: a folder of temporary files that is locked, a debugger. */
  private static final List<String> OWN = List.of("-Droll.tmp.dir=", "-agentlib:jdwp", "-Xrunjdwp");

  RunLaunch {
    command = List.copyOf(command);
  }

  /**
   * As this process was started.
   *
   * @throws UserException if that was not by {@code java -jar}
   */
  static RunLaunch own() {
    return of(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        ManagementFactory.getRuntimeMXBean().getInputArguments(),
        System.getProperty("java.class.path", ""),
        System.getProperty("java.io.tmpdir"));
  }

  /**
   * A launch of {@code jar}.
   *
   * @param options of the JVM
   * @param temporary folder of temporary files, which is shared
   */
  static RunLaunch of(Path java, List<String> options, String jar, String temporary) {
    if (!jar.endsWith(".jar") || !Files.isRegularFile(Path.of(jar))) {
      throw new UserException(
          "sweep: runs are processes of their own, started from roll.jar, and this one was not");
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
