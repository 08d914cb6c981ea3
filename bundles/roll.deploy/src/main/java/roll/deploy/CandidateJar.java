package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * A bundle jar whose contents were checked before installation.
 *
 * @param jar file
 * @param name symbolic name, valid as file name
 * @param version bundle version
 * @param implementations classes that the framework and SCR instantiate
 * @param services service interfaces of its components
 */
record CandidateJar(
    Path jar, String name, Version version, Set<String> implementations, Set<String> services) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int LONGEST_NAME = 128;

  /**
   * Reads and checks {@code jar}.
   *
   * @throws UserException with the reason, if it is no bundle or must not be installed
   */
  static CandidateJar read(Path jar) {
    if (!Files.exists(jar)) {
      throw new UserException(OneLine.of(jar.toString()) + ": no such file");
    }
    if (!Files.isRegularFile(jar)) {
      throw new UserException(
          OneLine.of(
              jar
                  + ": expected a bundle's .jar file, found "
                  + (Files.isDirectory(jar) ? "a folder" + newest(jar) : "a special file")));
    }
    JarContents.Found found = JarContents.check(jar);
    Attributes headers = found.headers();
    String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
    if (name == null) {
      throw refusal(
          jar,
          "its manifest has no Bundle-SymbolicName, so it is not a bundle (does its pom configure"
              + " bnd-maven-plugin, and maven-jar-plugin with its manifestFile?)");
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
      throw refusal(jar, "Bundle-Version '" + version + "' is not a version such as 1.0.0");
    }
  }

  private static String name(Path jar, String header) {
    String name = header.replaceFirst(";.*", "").strip();
    if (name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
      throw refusal(
          jar,
          "Bundle-SymbolicName '"
              + name
              + "' is invalid (allowed: letters, digits, '_' and '-', separated by single dots, at"
              + " most "
              + LONGEST_NAME
              + " characters, such as org.example.maze)");
    }
    return name;
  }

  /** Returns the error that {@code jar} is refused, in one line. */
  static UserException refusal(Path jar, String why) {
    return new UserException(OneLine.of("refused " + jar.getFileName() + ": " + why));
  }

  /** Returns the jars in {@code folder} or its {@code target}, for a message. */
  private static String newest(Path folder) {
    for (Path place : List.of(folder, folder.resolve("target"))) {
      try (Stream<Path> files = Files.list(place)) {
        List<String> jars =
            files
                .map(Path::toString)
                .filter(name -> name.endsWith(".jar"))
                .sorted()
                .limit(3)
                .toList();
        if (!jars.isEmpty()) {
          return " (jars in it: " + String.join(", ", jars) + ")";
        }
      } catch (IOException e) {
        // the message does without
      }
    }
    return "";
  }

  /** Returns name and version for messages. */
  String title() {
    return name + " " + version;
  }
}
