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
import roll.parallel.ZeroTraining;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.collective.ThreadCollectives;
import roll.testkit.JavaProcess;

/** Ranks in separate processes, one of which is killed or stopped. */
@Tag("processes")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GlooProcessesTest {
  private final List<RankHandle> processes = new ArrayList<>();

  /** A process with its output. */
  private record RankHandle(Process process, BufferedReader out) {
    void send(String line) {
      try {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    String receive() {
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
          JavaProcess.of(
                  RankProcess.class,
                  List.of(
                      "-Xmx200m",
                      "-XX:TieredStopAtLevel=1",
                      "--enable-native-access=ALL-UNNAMED",
                      "-Dai.djl.offline=true",
                      "-DOPT_OUT_TRACKING=true"),
                  String.valueOf(rank),
                  String.valueOf(size),
                  folder.toString())
              .redirectErrorStream(true)
              .start();
      processes.add(new RankHandle(process, process.inputReader(StandardCharsets.UTF_8)));
    }
  }

  private static List<String> all(List<RankHandle> processes, String line) {
    processes.forEach(process -> process.send(line));
    return processes.stream().map(RankHandle::receive).toList();
  }

  @AfterEach
  void end() {
    processes.forEach(process -> process.process().destroyForcibly());
  }

  private static List<String> threads(int size) {
    return new RankThreads()
        .all(new ThreadCollectives().open(size), rank -> "" + RankProcess.operations(rank));
  }

  private static void signal(RankHandle process, String signal) throws Exception {
    int done =
        new ProcessBuilder("kill", "-" + signal, "" + process.process().pid()).start().waitFor();
    assertEquals(0, done);
  }

  /** Results are those of threads; after one of four processes is killed, the others continue. */
  @Test
  void survivorsContinueInANewEpoch(@TempDir Path folder) throws Exception {
    start(4, folder);
    all(processes, "open 1 20000 4");
    assertEquals(threads(4), all(processes, "all"));
    all(processes, "loop");
    Thread.sleep(100);
    signal(processes.get(3), "KILL");
    List<RankHandle> rest = processes.subList(0, 3);
    for (RankHandle process : rest) {
      String line = process.receive();
      assertTrue(
          line.matches("\\d+ group 'test' of epoch 1, rank \\d: an all-.*: rank \\d is lost: .*"),
          line);
    }
    all(rest, "open 2 20000 3");
    assertEquals(threads(3), all(rest, "all"));
  }

  /** Training with two processes is bit-for-bit identical to training with two threads. */
  @Test
  void zero3ResultsInProcessesAreThoseOfThreads(@TempDir Path folder) throws Exception {
    start(2, folder);
    RankGroup threads = RankGroup.here("test", List.of(RankLocation.CPU, RankLocation.CPU));
    List<String> expected =
        ZeroTraining.train(new ThreadCollectives(), threads, LocalProcess.alone());
    assertEquals(expected, all(processes, "zero3"));
  }

  /** After one of two processes is stopped, the other fails at the timeout. */
  @Test
  void aStoppedRankFailsTheGroupAtTheTimeout(@TempDir Path folder) throws Exception {
    start(2, folder);
    all(processes, "open 1 1500 2");
    assertEquals(threads(2), all(processes, "all"));
    all(processes, "loop");
    Thread.sleep(100);
    signal(processes.get(1), "STOP");
    String line = processes.get(0).receive();
    assertTrue(
        line.matches("\\d+ group 'test' of epoch 1, rank 0: an all-.* took longer than 1.5 s"),
        line);
    signal(processes.get(1), "CONT");
    String other = processes.get(1).receive();
    assertTrue(other.contains("group 'test' of epoch 1, rank 1: "), other);
    all(processes, "open 2 20000 2");
    assertEquals(
        Set.copyOf(threads(2)), all(processes, "all").stream().collect(Collectors.toSet()));
  }
}
