package roll.assemble;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import roll.api.option.UserException;

/**
 * The distribution that this process runs, with its bundles.
 *
 * @param jar executable jar with the launcher and all bundles
 * @param deploy folder of deployed bundles
 */
record RunningDistribution(Path jar, Path deploy) {
  /** Properties file of bnd's launcher in the jar. */
  static final String LAUNCHER = "launcher.properties";

  /**
   * Returns the distribution that this process was started from.
   *
   * @throws UserException if it was not started from an executable jar
   */
  static RunningDistribution here() {
    Path jar = Path.of(System.getProperty("java.class.path", "")).toAbsolutePath();
    if (!jar.toString().endsWith(".jar") || !Files.isRegularFile(jar) || !launches(jar)) {
      throw new UserException(
          "assemble: needs the bundles of roll.jar, but this process was not started from it (use"
              + " ./roll)");
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

  /** Returns a file or folder next to the jar. */
  Path beside(String name) {
    return jar.resolveSibling(name);
  }
}
