package roll.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.regex.Pattern;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * A jar that says of itself that it is a bundle, looked at before the framework sees it.
 *
 * @param jar the file
 * @param name its symbolic name, fit for the name of a file
 * @param version its version
 * @param implementations the classes that the framework and SCR make objects of
 * @param services the interfaces that its components are offered as
 */
record CandidateJar(
    Path jar, String name, Version version, Set<String> implementations, Set<String> services) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int LONGEST_NAME = 128;

  /**
   * Reads the manifest of {@code jar}.
   *
   * @throws UserException if it is not a bundle, or one that is not taken: why
   */
  static CandidateJar read(Path jar) {
    if (!Files.exists(jar)) {
      throw new UserException(OneLine.of(jar.toString()) + ": no such file");
    }
    if (!Files.isRegularFile(jar)) {
      throw refusal(jar, "it is no file");
    }
    JarContents.Found found = JarContents.check(jar);
    Attributes headers = found.headers();
    String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
    if (name == null) {
      throw refusal(
          jar,
          "its manifest has no Bundle-SymbolicName, so it is no bundle (does its pom have"
              + " bnd-maven-plugin, and maven-jar-plugin its manifestFile?)");
    }
    String version = headers.getValue(Constants.BUNDLE_VERSION);
    try {
      return new CandidateJar(
          jar,
          name(jar, name),
          Version.parseVersion(version),
          found.implementations(),
          found.services());
    } catch (IllegalArgumentException e) {
      throw refusal(jar, "Bundle-Version '" + version + "' is no version such as 1.0.0");
    }
  }

  private static String name(Path jar, String header) {
    String name = header.replaceFirst(";.*", "").strip();
    if (name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
      throw refusal(
          jar,
          "Bundle-SymbolicName '"
              + name
              + "' is no name such as org.example.maze (letters, digits, '_', '-' and single dots"
              + " between them, at most "
              + LONGEST_NAME
              + ")");
    }
    return name;
  }

  /** That {@code jar} is refused, in one line whatever the jar says of itself. */
  static UserException refusal(Path jar, String why) {
    return new UserException(OneLine.of("refused " + jar.getFileName() + ": " + why));
  }

  /** Name and version, as messages have them. */
  String title() {
    return name + " " + version;
  }
}
