package roll.licenses;

import java.nio.file.Path;

/**
 * A version of a library.
 *
 * @param family its row in the list
 * @param group Maven's groupId
 * @param artifact Maven's artifactId
 * @param version Maven's version
 * @param jar its jar
 */
record Library(LibraryFamily family, String group, String artifact, String version, Path jar) {
  /** Returns the library's name and version for headers and notices. */
  String name() {
    return artifact + " " + version;
  }

  /** Returns the folder of the library's license texts. */
  String folder() {
    return artifact + "-" + version;
  }

  /** Returns the library's Maven coordinates. */
  String coordinates() {
    return group + ":" + artifact + ":" + version;
  }

  /** Returns the library's line in a notice; {@link Notice} parses it. */
  String line() {
    return "- "
        + name()
        + ": "
        + String.join(" AND ", family.licenses())
        + (family.choice() ? " (of " + family.license() + ")" : "")
        + ", "
        + family.home()
        + ", sources of "
        + coordinates();
  }
}
