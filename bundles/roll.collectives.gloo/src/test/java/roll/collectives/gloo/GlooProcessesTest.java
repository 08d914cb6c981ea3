package roll.collectives.gloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import roll.collectives.testkit.RankThreads;
import roll.parallel.ZeroRanks;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.collective.ThreadCollectives;

/** Ranks in real processes, one of which is killed or stopped. */
@Tag("processes")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GlooProcessesTest {
  private final List<Ranked> processes = new ArrayList<>();

  /** A process and what it says. */
  private record Ranked(Process process, BufferedReader out) {
    void tell(String line) {
      try {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    String hear() {
      try {
        StringBuilder other = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          if (line.startsWith("> ")) {
            return line.substring(2);
          }
          other.append(line).append('\n');
        }
        throw new AssertionError("the process has ended: " + other);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  private void start(int size, Path folder) throws IOException {
    for (int rank = 0; rank < size; rank++) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx200m",
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-Dai.djl.offline=true",
                  "-DOPT_OUT_TRACKING=true",
                  "-cp",
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  RankProcess.class.getName(),
                  String.valueOf(rank),
                  String.valueOf(size),
                  folder.toString())
              .redirectErrorStream(true)
              .start();
      processes.add(new Ranked(process, process.inputReader(StandardCharsets.UTF_8)));
    }
  }

  private static List<String> all(List<Ranked> processes, String line) {
    processes.forEach(process -> process.tell(line));
    return processes.stream().map(Ranked::hear).toList();
  }

  @AfterEach
  void end() {
    processes.forEach(process -> process.process().destroyForcibly());
  }

  private static List<String> threads(int size) {
    return new RankThreads()
        .all(new ThreadCollectives().open(size), rank -> "" + RankProcess.operations(rank));
  }

  private static void signal(Ranked process, String signal) throws Exception {
    int done =
        new ProcessBuilder("kill", "-" + signal, "" + process.process().pid()).start().waitFor();
    assertEquals(0, done);
  }

  /** Four processes give the bits of threads; one is killed; the others go on without it. */
  @Test
  void theRestGoesOnInANewEpochAfterOneIsKilled(@TempDir Path folder) throws Exception {
    start(4, folder);
    all(processes, "open 1 20000 4");
    assertEquals(threads(4), all(processes, "all"));
    all(processes, "loop");
    Thread.sleep(100);
    signal(processes.get(3), "KILL");
    List<Ranked> rest = processes.subList(0, 3);
    for (Ranked process : rest) {
      String said = process.hear();
      assertTrue(
          said.matches("\\d+ group 'test' of epoch 1, rank \\d: an all-.*: rank \\d is lost: .*"),
          said);
    }
    all(rest, "open 2 20000 3");
    assertEquals(threads(3), all(rest, "all"));
  }

  /**
   * A model cut over two processes has, after three steps, the bits of one cut over two threads.
   */
  @Test
  void zero3LearnsInProcessesWhatItLearnsInThreads(@TempDir Path folder) throws Exception {
    start(2, folder);
    RankGroup threads = RankGroup.here("test", List.of(RankLocation.CPU, RankLocation.CPU));
    List<String> expected = ZeroRanks.train(new ThreadCollectives(), threads, LocalProcess.alone());
    assertEquals(expected, all(processes, "zero3"));
  }

  /** Two processes; one is stopped: the other gives up at the limit. */
  @Test
  void aStoppedRankIsGivenUpAtTheLimit(@TempDir Path folder) throws Exception {
    start(2, folder);
    all(processes, "open 1 1500 2");
    assertEquals(threads(2), all(processes, "all"));
    all(processes, "loop");
    Thread.sleep(100);
    signal(processes.get(1), "STOP");
    String said = processes.get(0).hear();
    assertTrue(
        said.matches("\\d+ group 'test' of epoch 1, rank 0: an all-.* took longer than 1.5 s"),
        said);
    signal(processes.get(1), "CONT");
    String other = processes.get(1).hear();
    assertTrue(other.contains("group 'test' of epoch 1, rank 1: "), other);
    all(processes, "open 2 20000 2");
    assertEquals(
        Set.copyOf(threads(2)), all(processes, "all").stream().collect(Collectors.toSet()));
  }
}
