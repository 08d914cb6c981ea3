package roll.licences;

import java.nio.file.Path;

/**
 * A library of some version.
 *
 * @param family what it is and its license
 * @param group Maven's groupId
 * @param artifact Maven's artifactId
 * @param version Maven's version
 * @param jar its jar
 */
record Library(Family family, String group, String artifact, String version, Path jar) {
  /** Its name and version, as headers and notices have it. */
  String name() {
    return artifact + " " + version;
  }

  /** Folder of its texts. */
  String folder() {
    return artifact + "-" + version;
  }

  /** Maven's name of it. */
  String coordinates() {
    return group + ":" + artifact + ":" + version;
  }

  /** A line of a notice; {@link Notice} reads it again. */
  String line() {
    return "- "
        + name()
        + ": "
        + String.join(" AND ", family.licences())
        + (family.choice() ? " (of " + family.licence() + ")" : "")
        + ", "
        + family.home()
        + ", sources of "
        + coordinates();
  }
}
