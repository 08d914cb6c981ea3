package roll.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The lines of the classes in {@link Samples}, written by the registered listener. */
@Tag("processes")
class TestTimesTest {
  @TempDir Path folder;

  @BeforeEach
  void set() {
    System.setProperty(TestTimes.FOLDER, folder.toString());
  }

  private List<String[]> lines() throws IOException {
    Path file = folder.resolve("times-" + ProcessHandle.current().pid() + ".tsv");
    return Files.readAllLines(file).stream().map(line -> line.split("\t")).toList();
  }

  /** Returns the column {@code index} by simple class name. */
  private Map<String, String> column(int index) throws IOException {
    return lines().stream()
        .filter(line -> line[0].equals("class"))
        .collect(
            Collectors.toMap(
                line -> line[1].substring(line[1].indexOf('$') + 1), line -> line[index]));
  }

  @Test
  void aClassHasTheRingOfItsTagOrOfATestInIt() throws IOException {
    Samples.run(
        Samples.Busy.class,
        Samples.Hostile.class,
        Samples.SlowAndHostile.class,
        Samples.HasTagged.class);
    assertEquals(
        Map.of(
            "Busy", "unit",
            "Hostile", "hostile",
            "SlowAndHostile", "slow",
            "HasTagged", "processes"),
        column(2));
  }

  @Test
  void timesAreThoseOfTheClassAndOfTheJvm() throws IOException {
    Samples.run(Samples.Busy.class, Samples.Hostile.class);
    List<String[]> lines = lines();
    assertEquals(List.of("class", "class", "jvm"), lines.stream().map(line -> line[0]).toList());
    for (int column : List.of(3, 4)) {
      double busy = Double.parseDouble(lines.get(0)[column]);
      assertTrue(busy >= Samples.BUSY_SECONDS / 2, () -> "busy for " + busy);
      assertTrue(Double.parseDouble(lines.get(1)[column]) < busy, "idle longer than busy");
      assertTrue(Double.parseDouble(lines.get(2)[column]) > busy, "the JVM less than a class");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessIsOfTheClassThatStartsIt() throws IOException {
    assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "this system has no /proc");
    Samples.run(Samples.Waits.class, Samples.Leaves.class, Samples.Ends.class, Samples.Busy.class);
    assertEquals(
        Map.of("Waits", "true", "Leaves", "true", "Ends", "false", "Busy", "false"), column(5));
  }

  @Test
  void whatClassesUseThatRunAtOnceIsNotKnown() throws IOException {
    Samples.runAtOnce(Samples.First.class, Samples.Second.class);
    assertEquals(Map.of("First", "-", "Second", "-"), column(4));
    assertEquals(Map.of("First", "-", "Second", "-"), column(5));
    column(3).values().forEach(Double::parseDouble);
  }

  @Test
  void whatATestLaunchesIsPartOfIt() throws IOException {
    Samples.run(Samples.Launches.class);
    assertEquals(Map.of("Launches", "unit"), column(2));
  }

  @Test
  void testsPassWhereNothingCanBeWritten() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    System.setProperty(TestTimes.FOLDER, file.toString());
    Samples.run(Samples.Busy.class);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }
}
