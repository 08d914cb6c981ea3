package roll.licenses;

import java.util.List;
import java.util.regex.Pattern;

/** Writes and parses notices about the libraries in a jar. */
final class Notice {
  /** A line of {@link Library}: name, version, Maven's coordinates, with and without version. */
  private static final Pattern LINE =
      Pattern.compile("(?m)^- (\\S+) (\\S+): .*, sources of (([^:\\s]+:[^:\\s]+):\\S+)$");

  private static final String LESSER =
      """

      What is under the LGPL is used through its public interface only. Its sources are in Maven's central repository
      under the names above (classifier sources), and at its home. It may be replaced by another build of the same
      classes: put them into the jar, or give the version to the build of roll, whose root pom has them all. Nothing
      forbids to take the jar apart, to debug such a change or to reverse-engineer for that.
      """;

  private Notice() {}

  /** Returns the notice of a bundle with {@code libraries}. */
  static String of(String bundle, List<Library> libraries) {
    return """
    %s is part of roll, under the Apache License 2.0 (META-INF/LICENSE).

    It contains parts of these libraries, unchanged, under their own licenses (META-INF/licenses):

    """
            .formatted(bundle)
        + lines(libraries);
  }

  /** Returns a line per library, and the texts that their licenses require. */
  static String lines(List<Library> libraries) {
    StringBuilder lines = new StringBuilder();
    libraries.forEach(library -> lines.append(library.line()).append('\n'));
    boolean lesser =
        libraries.stream()
            .flatMap(library -> library.family().licenses().stream())
            .anyMatch(license -> license.startsWith("LGPL"));
    return lines + (lesser ? LESSER : "");
  }

  /** Returns the lines of {@code notice} from the first library on. */
  static String lines(String notice) {
    int first = notice.indexOf("\n- ");
    return first < 0 ? "" : notice.substring(first + 1);
  }

  /** Returns group and artifact of each library in {@code notice}. */
  static List<String> named(String notice) {
    return LINE.matcher(notice).results().map(line -> line.group(4)).toList();
  }

  /** Returns group, artifact and version of each library in {@code notice}. */
  static List<String> coordinates(String notice) {
    return LINE.matcher(notice).results().map(line -> line.group(3)).toList();
  }

  /** Returns name and version of each library in {@code notice}. */
  static List<String> names(String notice) {
    return LINE.matcher(notice).results().map(line -> line.group(1) + " " + line.group(2)).toList();
  }

  /** Returns the folder of license texts of each library in {@code notice}. */
  static List<String> folders(String notice) {
    return names(notice).stream().map(name -> name.replace(' ', '-')).toList();
  }
}
