package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Maximum sizes of packages and files, unique names, and no cycles of packages. */
class HouseTest {
  static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final int FILES = 30;
  private static final int MOST_LINES = 400;
  private static final int USUAL_LINES = 250;
  private static final int MEDIAN = 80;

  /** Bundles of tests, which run inside the framework or in plugins' builds. */
  static final List<String> TESTS =
      List.of(
          "roll.itests",
          "roll.testkit",
          "roll.browser.testkit",
          "roll.cluster.testkit",
          "roll.collectives.testkit");

  /** A simple name is unique within a bundle and among exported packages. */
  @Test
  void noNameHasTwoMeanings() throws IOException {
    Map<String, List<String>> exported = new TreeMap<>();
    for (Path bundle : bundles()) {
      Map<String, List<String>> own = new TreeMap<>();
      for (Path file : sources(bundle)) {
        String name = file.getFileName().toString().replace(".java", "");
        String place = ROOT.relativize(file).toString();
        own.computeIfAbsent(name, _ -> new ArrayList<>()).add(place);
        if (isExported(file.getParent())) {
          exported.computeIfAbsent(name, _ -> new ArrayList<>()).add(place);
        }
      }
      own.values().removeIf(files -> files.size() == 1);
      assertEquals(Map.of(), own);
    }
    assertTrue(exported.size() > 500, () -> "found only " + exported.keySet());
    exported.values().removeIf(files -> files.size() == 1);
    assertEquals(Map.of(), exported);
  }

  private static boolean isExported(Path folder) throws IOException {
    Path info = folder.resolve("package-info.java");
    return Files.exists(info) && Files.readString(info).contains("@Export");
  }

  @Test
  void noPackagesNeedEachOther() throws IOException {
    List<Path> classes =
        bundles().stream()
            .map(b -> b.resolve("target/classes"))
            .filter(Files::isDirectory)
            .toList();
    PackageGraph graph = PackageGraph.of(classes);
    assertTrue(graph.packages().size() > 90, () -> "found only " + graph.packages());
    assertEquals(List.of(), graph.cycles());
  }

  @Test
  void noPackageIsTooLarge() throws IOException {
    Map<String, Long> sizes =
        sources().stream()
            .map(file -> ROOT.relativize(file.getParent()).toString())
            .collect(Collectors.groupingBy(f -> f, TreeMap::new, Collectors.counting()));
    sizes.values().removeIf(size -> size <= FILES);
    assertEquals(Map.of(), sizes);
  }

  @Test
  void halfOfAllFilesAreShort() throws IOException {
    List<Integer> sorted = lengths(sources()).values().stream().sorted().toList();
    int median = sorted.get(sorted.size() / 2);
    assertTrue(median < MEDIAN, "half of all files have more than " + median + " lines");
  }

  /** No file, including tests, is longer than the limit. */
  @Test
  void noFileIsTooLong() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String shelf :
        List.of("src", "roll.baseline/src", "roll.licenses/src", "roll.timing/src", "templates")) {
      files.addAll(java(ROOT.resolve("cnf").resolve(shelf)));
    }
    for (Path bundle : bundles()) {
      files.addAll(java(bundle.resolve("src")));
    }
    Map<String, Integer> lengths = lengths(files);
    assertTrue(lengths.size() > 1500, () -> "found only " + lengths.size());
    long tall = lengths.values().stream().filter(length -> length > USUAL_LINES).count();
    assertTrue(tall * 20 < lengths.size(), tall + " files have more than " + USUAL_LINES);
    lengths.values().removeIf(length -> length <= MOST_LINES);
    assertEquals(Map.of(), lengths);
  }

  /** No bundle exceeds its budget of lines without a change of cnf/lines.txt. */
  @Test
  void noBundleOutgrowsItsLines() throws IOException {
    Map<String, CodeLines> allowed = CodeLines.allowed(ROOT);
    Map<String, CodeLines> counted = CodeLines.counted(ROOT);
    StringBuilder beyond = new StringBuilder();
    counted.forEach(
        (bundle, lines) ->
            beyond.append(lines.beyond(bundle, allowed.getOrDefault(bundle, new CodeLines(0, 0)))));
    assertEquals("", beyond.toString());
    assertEquals(counted.keySet(), allowed.keySet(), "bundles in cnf/lines.txt");
  }

  private static Map<String, Integer> lengths(List<Path> files) throws IOException {
    Map<String, Integer> lengths = new TreeMap<>();
    for (Path file : files) {
      lengths.put(ROOT.relativize(file).toString(), Files.readAllLines(file).size());
    }
    return lengths;
  }

  /** Returns the sources that are not tests. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path bundle : bundles()) {
      sources.addAll(sources(bundle));
    }
    return sources;
  }

  private static List<Path> sources(Path bundle) throws IOException {
    return TESTS.contains(bundle.getFileName().toString())
        ? List.of()
        : java(bundle.resolve("src/main/java"));
  }

  /** Returns the classes below {@code folder}; none without that folder. */
  private static List<Path> java(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .toList();
    }
  }

  /** Returns the folders of all bundles. */
  static List<Path> bundles() throws IOException {
    List<Path> bundles = new ArrayList<>();
    for (String shelf :
        List.of("bundles", "envs-bundles", "estimators-bundles", "strategies-bundles")) {
      try (Stream<Path> folders = Files.list(ROOT.resolve(shelf))) {
        folders.filter(folder -> Files.exists(folder.resolve("pom.xml"))).forEach(bundles::add);
      }
    }
    return bundles;
  }
}
