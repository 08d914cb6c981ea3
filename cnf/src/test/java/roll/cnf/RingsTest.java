package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that start a process, a browser, a node or a framework have the tag of a ring. */
class RingsTest {
  private static final String SAMPLES = "roll/cnf/RingSamples";

  /** Classes that {@code TestTimesTest} runs itself. */
  private static final String TIMED = "roll/timing/Samples";

  private static final Path OWN = HouseTest.ROOT.resolve("cnf/target/test-classes");

  /** A line ends with the calls that lead to the process. */
  @Test
  void whatIsWrongIsNamed() throws IOException {
    Map<String, TestCode> samples = TestCode.read(OWN);
    samples.keySet().removeIf(name -> !name.startsWith(SAMPLES));
    String start = "starts processes: @Tag(\"processes\"), for ";
    assertEquals(
        List.of(
            "AnotherRingBelow has the tags of several rings: [hostile, processes]",
            "Framework starts a framework: @Tag(\"framework\"), for Framework.starts >"
                + " FrameworkFactory.newFramework",
            "InsideUntagged runs inside a framework: @Tag(\"framework\")",
            "Kept " + start + "Kept.status > Programs.status > ProcessBuilder.start",
            "LesserRing "
                + start
                + "LesserRing.<init> > Untagged.starts > Programs.status > ProcessBuilder.start",
            "Misspelt has the tag 'proceses': allowed are [framework, hostile, processes, slow]",
            "TwoRings has the tags of several rings: [framework, hostile]",
            "Untagged " + start + "Untagged.starts > Programs.status > ProcessBuilder.start",
            "UntaggedBefore "
                + start
                + "UntaggedBefore.start > Server.close > ProcessBuilder.start"),
        new TestRings(samples, SAMPLES + "$Inside")
            .problems().stream().map(line -> line.replaceAll("\\S*RingSamples\\$", "")).toList());
  }

  @Test
  void everyTestIsInItsRing() throws IOException {
    Map<String, TestCode> types = new TreeMap<>();
    List<Path> missing = new ArrayList<>();
    for (Path folder : folders()) {
      Map<String, TestCode> read = TestCode.read(folder);
      types.putAll(read);
      if (read.isEmpty()) {
        missing.add(folder);
      }
    }
    assertEquals(List.of(), missing, "no compiled classes");
    types.keySet().removeIf(name -> name.startsWith(SAMPLES) || name.startsWith(TIMED));
    assertEquals("", String.join("\n", new TestRings(types, "roll/itests/").problems()));
  }

  /** The listed methods that start processes exist. */
  @Test
  void whatStartsProcessesIsThere() throws IOException {
    Set<String> missing = new TreeSet<>(TestRings.PROCESSES);
    missing.removeIf(starter -> !starter.startsWith("roll/"));
    assertTrue(missing.size() > 5, missing::toString);
    for (Path bundle : HouseTest.bundles()) {
      Path classes = bundle.resolve("target/classes");
      for (String starter : List.copyOf(missing)) {
        Path type = classes.resolve(TestCalls.owner(starter) + ".class");
        if (Files.exists(type)
            && TestCode.of(ClassFile.of().parse(type))
                .methods()
                .containsKey(TestCalls.name(starter))) {
          missing.remove(starter);
        }
      }
    }
    assertEquals(Set.of(), missing);
  }

  /** Returns the folders of all compiled tests and shared test code. */
  private static List<Path> folders() throws IOException {
    List<Path> modules = new ArrayList<>(HouseTest.bundles());
    try (Stream<Path> below = Files.walk(HouseTest.ROOT.resolve("cnf"), 1)) {
      modules.addAll(below.toList());
    }
    List<Path> folders = new ArrayList<>();
    for (Path module : modules) {
      if (HouseTest.TESTS.contains(module.getFileName().toString())) {
        folders.add(module.resolve("target/classes"));
      }
      if (Files.isDirectory(module.resolve("src/test/java"))) {
        folders.add(module.resolve("target/test-classes"));
      }
    }
    return folders;
  }
}
