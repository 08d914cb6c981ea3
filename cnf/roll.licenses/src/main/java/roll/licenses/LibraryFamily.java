package roll.licenses;

import java.util.ArrayList;
import java.util.List;

/**
 * A row of {@code licenses/libraries.txt}: artifacts with a common license.
 *
 * @param group Maven's groupId, possibly ending in {@code *}
 * @param artifact Maven's artifactId, or {@code *}
 * @param license an SPDX expression
 * @param home URL of its source
 * @param packages prefixes of its packages
 */
record LibraryFamily(
    String group, String artifact, String license, String home, List<String> packages) {
  /** Parses {@code line} as a library family. */
  static LibraryFamily of(String line) {
    String[] cells = line.split("\\|", -1);
    int colon = cells[0].indexOf(':');
    if (cells.length != 4 || colon < 0) {
      throw new IllegalArgumentException(
          "licenses/libraries.txt: not group:artifact | license | home | packages: " + line);
    }
    String packages = cells[3].strip();
    return new LibraryFamily(
        cells[0].substring(0, colon).strip(),
        cells[0].substring(colon + 1).strip(),
        cells[1].strip(),
        cells[2].strip(),
        packages.isEmpty() ? List.of() : List.of(packages.split("\\s+")));
  }

  /** Returns whether the artifact belongs to this family. */
  boolean has(String groupId, String artifactId) {
    boolean open = group.endsWith("*");
    String start = open ? group.substring(0, group.length() - 1) : group;
    return (open ? groupId.startsWith(start) : groupId.equals(start)) && named(artifactId);
  }

  private boolean named(String artifactId) {
    return artifact.equals("*") || artifact.equals(artifactId);
  }

  /**
   * Returns the groupId of this family at the end of {@code folders}, names joined by dots; ""
   * without one.
   */
  String groupAtTheEndOf(String folders) {
    int at = folders.lastIndexOf("." + group.replaceFirst("\\.\\*$", ""));
    return at < 0 ? "" : folders.substring(at + 1);
  }

  /** Returns the licenses, of each choice the first. */
  List<String> licenses() {
    List<String> taken = new ArrayList<>();
    for (String part : license.split(" AND ", -1)) {
      taken.add(part.split(" OR ", -1)[0].strip());
    }
    return taken;
  }

  /** Returns whether the library may be used under a choice of licenses. */
  boolean choice() {
    return license.contains(" OR ");
  }
}
