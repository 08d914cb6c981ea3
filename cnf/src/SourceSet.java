import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The main or the test sources of a module.
 *
 * @param name {@code main} or {@code test}
 */
record SourceSet(SourceModule module, String name) {

  Path java() {
    return module.folder().resolve("src/" + name + "/java");
  }

  Path resources() {
    return module.folder().resolve("src/" + name + "/resources");
  }

  Path classes() {
    return module
        .folder()
        .resolve("target")
        .resolve(name.equals("main") ? "classes" : "test-classes");
  }

  /** Returns a file with the state of the last compilation. */
  Path kept(String file) {
    return module.folder().resolve("target/dev/" + name + "." + file);
  }

  /** Returns its Java files. */
  List<Path> sources() throws IOException {
    return files(java()).stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  /** Returns size and time of each source and resource by path. */
  SortedMap<String, String> state() throws IOException {
    SortedMap<String, String> state = new TreeMap<>();
    for (Path folder : List.of(java(), resources())) {
      for (Path file : files(folder)) {
        state.put(
            module.folder().relativize(file).toString(),
            Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis());
      }
    }
    return state;
  }

  @Override
  public String toString() {
    return name.equals("main") ? module.name() : "the tests of " + module.name();
  }

  /** Returns the sorted files below {@code folder}; none without that folder. */
  static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
