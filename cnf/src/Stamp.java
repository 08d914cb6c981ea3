import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The inputs of an output by name, in a file with a line each. */
class Stamp {
  private Stamp() {}

  /** Reads {@code file}; empty if it does not exist. */
  static SortedMap<String, String> read(Path file) throws IOException {
    SortedMap<String, String> inputs = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int tab = line.indexOf('\t');
        inputs.put(line.substring(tab + 1), line.substring(0, tab));
      }
    }
    return inputs;
  }

  /** Writes {@code inputs} to {@code file}. */
  static void write(Path file, Map<String, String> inputs) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(
        file, inputs.entrySet().stream().map(e -> e.getValue() + "\t" + e.getKey()).toList());
  }

  /** Returns the names with different values, or in only one of the maps. */
  static Set<String> differences(Map<String, String> a, Map<String, String> b) {
    return Stream.of(a, b)
        .flatMap(inputs -> inputs.keySet().stream())
        .filter(name -> !Objects.equals(a.get(name), b.get(name)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the sorted content of {@code folder}; empty without that folder. */
  static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }
}
