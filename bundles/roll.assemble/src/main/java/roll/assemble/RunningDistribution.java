package roll.assemble;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import roll.api.option.UserException;

/**
 * The distribution that is running.
 *
 * @param jar bnd's executable jar with the launcher and all bundles
 * @param deploy folder of the bundles a user added
 */
record RunningDistribution(Path jar, Path deploy) {
  /** What bnd's launcher in the jar reads. */
  static final String LAUNCHER = "launcher.properties";

  /**
   * The distribution this process was started from.
   *
   * @throws UserException if it was not started from such a jar
   */
  static RunningDistribution here() {
    Path jar = Path.of(System.getProperty("java.class.path", "")).toAbsolutePath();
    if (!jar.toString().endsWith(".jar") || !Files.isRegularFile(jar) || !launches(jar)) {
      throw new UserException(
          "assemble: takes its bundles from roll.jar, and this process was not started from one"
              + " (./roll is)");
    }
    Path deploy = jar.resolveSibling("deploy");
    return new RunningDistribution(
        jar, Path.of(System.getProperty("roll.deploy.dir", deploy.toString())));
  }

  private static boolean launches(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getEntry(LAUNCHER) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file or folder beside the jar. */
  Path beside(String name) {
    return jar.resolveSibling(name);
  }
}
