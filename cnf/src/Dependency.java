import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of a module's class path.
 *
 * @param name group and artifact, separated by a colon
 * @param scope Maven's scope
 * @param path a jar, or the classes of a module of this tree
 */
record Dependency(String name, String scope, Path path) {

  /** Reads {@code list}, written by {@code mvn dependency:list}, in class path order. */
  static List<Dependency> read(Path list) throws IOException {
    List<Dependency> found = new ArrayList<>();
    for (String line : Files.readAllLines(list)) {
      String[] parts = line.strip().replaceFirst(" -- module .*", "").split(":");
      if (parts.length >= 6 && !parts[2].equals("pom")) {
        Path path = Path.of(parts[parts.length - 1]);
        found.add(new Dependency(parts[0] + ":" + parts[1], parts[parts.length - 2], path));
      }
    }
    return found;
  }

  /** Returns whether the main classes of a module are compiled with it. */
  boolean isForMain() {
    return !scope.equals("test") && !scope.equals("runtime");
  }
}
