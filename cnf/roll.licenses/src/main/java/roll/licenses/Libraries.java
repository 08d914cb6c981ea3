package roll.licenses;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The known libraries, as listed in {@code licenses/libraries.txt}.
 *
 * @param folder the folder {@code licenses}
 * @param families its rows
 */
record Libraries(Path folder, List<LibraryFamily> families) {
  /** Name of the list in the folder {@code licenses}. */
  static final String LIST = "libraries.txt";

  /** Reads the list of known libraries in {@code folder}. */
  static Libraries in(Path folder) throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve(LIST))) {
      return new Libraries(
          folder,
          lines
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(LibraryFamily::of)
              .toList());
    }
  }

  /**
   * Reads the list of the tree that contains {@code inside}.
   *
   * @throws IOException if there is none
   */
  static Libraries above(Path inside) throws IOException {
    for (Path at = inside.toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("licenses").resolve(LIST))) {
        return in(at.resolve("licenses"));
      }
    }
    throw new IOException("no licenses/" + LIST + " above " + inside);
  }

  /**
   * Returns the library of {@code jar}, a file in a Maven repository; empty if it is not listed.
   */
  Optional<Library> of(Path jar) {
    List<String> path = new ArrayList<>();
    jar.toAbsolutePath().forEach(name -> path.add(name.toString()));
    int version = path.size() - 2;
    if (version < 2) {
      return Optional.empty();
    }
    String artifact = path.get(version - 1);
    String folders = "." + String.join(".", path.subList(0, version - 1));
    for (LibraryFamily family : families) {
      String group = family.groupAtTheEndOf(folders);
      if (family.has(group, artifact)) {
        return Optional.of(new Library(family, group, artifact, path.get(version), jar));
      }
    }
    return Optional.empty();
  }
}
