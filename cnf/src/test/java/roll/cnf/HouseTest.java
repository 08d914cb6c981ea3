package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How large rooms and files may be, and that no two packages need each other. */
class HouseTest {
  static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final int FILES = 25;
  private static final int LINES = 300;
  private static final int MEDIAN = 80;

  /** Tests that are a bundle because they run inside the framework, or in plugins' own builds. */
  private static final List<String> TESTS = List.of("roll.itests", "roll.testkit");

  /** Files that are longer than they should be. None is to be added. */
  private static final Set<String> TOO_LONG =
      Set.of(
          "bundles/roll.bench/src/main/java/roll/bench/RolloutBench.java",
          "bundles/roll.torch/src/main/java/roll/torch/model/Parameters.java");

  /** Names that several classes may have, and why. */
  private static final Map<String, String> SHARED_NAMES =
      Map.of(
          "Activator", "OSGi calls it so",
          "RunConfigFile", "the same idea in two trackers, which share no bundle",
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
  void filesAreShort() throws IOException {
    Map<String, Integer> lengths = new TreeMap<>();
    for (Path file : sources()) {
      lengths.put(ROOT.relativize(file).toString(), Files.readAllLines(file).size());
    }
    List<Integer> sorted = lengths.values().stream().sorted().toList();
    int median = sorted.get(sorted.size() / 2);
    assertTrue(median < MEDIAN, "half of all files have more than " + median + " lines");
    lengths.values().removeIf(length -> length <= LINES);
    assertEquals(TOO_LONG, lengths.keySet());
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path bundle : bundles()) {
      if (TESTS.contains(bundle.getFileName().toString())) {
        continue;
      }
      Path main = bundle.resolve("src/main/java");
      if (Files.isDirectory(main)) {
        try (Stream<Path> files = Files.walk(main)) {
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .forEach(sources::add);
        }
      }
    }
    return sources;
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
