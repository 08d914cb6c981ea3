package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import roll.api.config.UserException;

/**
 * A jar that says of itself that it is a bundle.
 *
 * @param jar the file
 * @param name its symbolic name
 * @param version its version
 */
record Candidate(Path jar, String name, Version version) {
  /**
   * Reads the manifest of {@code jar}.
   *
   * @throws UserException if it is no bundle: why
   */
  static Candidate read(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new UserException(jar + ": no such file");
    }
    Attributes headers = headers(jar);
    String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
    if (name == null) {
      throw new UserException(
          "refused "
              + jar.getFileName()
              + ": its manifest has no Bundle-SymbolicName, so it is no bundle (does its pom have"
              + " bnd-maven-plugin, and maven-jar-plugin its manifestFile?)");
    }
    String version = headers.getValue(Constants.BUNDLE_VERSION);
    try {
      return new Candidate(
          jar, name.replaceFirst(";.*", "").strip(), Version.parseVersion(version));
    } catch (IllegalArgumentException e) {
      throw new UserException(
          "refused "
              + jar.getFileName()
              + ": Bundle-Version '"
              + version
              + "' is no version such as 1.0.0",
          e);
    }
  }

  private static Attributes headers(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      if (manifest == null) {
        throw new UserException(
            "refused " + jar.getFileName() + ": it has no META-INF/MANIFEST.MF");
      }
      return manifest.getMainAttributes();
    } catch (IOException e) {
      throw new UserException(
          "refused " + jar.getFileName() + ": not a jar (" + e.getMessage() + ")", e);
    }
  }

  /** Name and version, as messages have them. */
  String title() {
    return name + " " + version;
  }
}
