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

/** How large rooms and files may be, and that no two packages need each other. */
class HouseTest {
  static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final int FILES = 30;
  private static final int MOST_LINES = 400;
  private static final int USUAL_LINES = 250;
  private static final int MEDIAN = 80;

  /** Tests that are a bundle because they run inside the framework, or in plugins' own builds. */
  static final List<String> TESTS =
      List.of(
          "roll.itests",
          "roll.testkit",
          "roll.browser.testkit",
          "roll.cluster.testkit",
          "roll.collectives.testkit");

  /** Names that several exported classes may have, and why. */
  private static final Map<String, String> SHARED_NAMES =
      Map.of("Member", "a node of a run, and one of a group of ranks: no class needs both");

  /**
   * In a bundle, and among what bundles offer each other: there a name is read without its package.
   */
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
    assertEquals(SHARED_NAMES.keySet(), exported.keySet(), exported::toString);
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

  /** Tests and kits too. */
  @Test
  void noFileIsTooLong() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String shelf :
        List.of("src", "roll.baseline/src", "roll.licences/src", "roll.timing/src", "templates")) {
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

  /** So that growth is a decision, and is seen in review. */
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

  /** Of what is no test. */
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

  /** The classes below {@code folder}; none where there is no such folder. */
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

  /** The folders of all bundles. */
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
