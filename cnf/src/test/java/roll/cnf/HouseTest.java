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
  private static final int LINES = 320;
  private static final int MEDIAN = 80;

  /** Tests that are a bundle because they run inside the framework, or in plugins' own builds. */
  static final List<String> TESTS =
      List.of(
          "roll.itests",
          "roll.testkit",
          "roll.browser.testkit",
          "roll.cluster.testkit",
          "roll.collectives.testkit");

  /** Names that several classes may have, and why. */
  private static final Map<String, String> SHARED_NAMES =
      Map.of(
          "Activator", "OSGi calls it so",
          "Member", "a node of a run, and one of a group of ranks: neither bundle knows the other",
          "RunConfigFile", "the same idea in two trackers, which share no bundle",
          "JsonText", "what the page writes, and what a row of a data set holds",
          "Kept", "settings that the page keeps, and the beginning of a response that is kept",
          "Trees", "the same helper in two bundles, one of which imports nothing");

  @Test
  void noNameHasTwoMeanings() throws IOException {
    Map<String, List<String>> places = new TreeMap<>();
    for (Path file : sources()) {
      String name = file.getFileName().toString().replace(".java", "");
      places.computeIfAbsent(name, _ -> new ArrayList<>()).add(ROOT.relativize(file).toString());
    }
    places.values().removeIf(files -> files.size() == 1);
    assertEquals(SHARED_NAMES.keySet(), places.keySet(), places::toString);
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
    lengths.values().removeIf(length -> length <= LINES);
    assertEquals(Map.of(), lengths);
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
      if (!TESTS.contains(bundle.getFileName().toString())) {
        sources.addAll(java(bundle.resolve("src/main/java")));
      }
    }
    return sources;
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
