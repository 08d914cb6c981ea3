package roll.sandbox.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/**
 * Malicious programs, each with its expected end and error in its first line. A benign session runs
 * beside them the whole time.
 */
@Tag("hostile")
@Timeout(120)
class HostileTest {
  private static final Path PROGRAMS = Path.of("src/test/resources/hostile");
  private static final String HONEST = "sum(x * x for x in range(10000))";
  private static final String HONEST_RESULT = "333283335000\n";

  private static final SandboxLimits PATIENT =
      new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 1000);

  /** One folder for all tests of a JVM, since the language reads its path once. */
  private static final Path CACHE = Path.of("target", "graalpy");

  private static PythonSandbox sandbox;
  private static List<Path> before;
  private static final AtomicBoolean OVER = new AtomicBoolean();
  private static ExecutorService beside;
  private static Future<Integer> honest;

  @BeforeAll
  static void open() throws IOException {
    sandbox = new PythonSandbox(CACHE);
    before = files();
    OVER.set(false);
    beside = Executors.newVirtualThreadPerTaskExecutor();
    Callable<Integer> work = HostileTest::honestWork;
    honest = beside.submit(work);
  }

  /** No file or thread is left, and the benign session continued. */
  @AfterAll
  static void nothingIsLeft() throws Exception {
    OVER.set(true);
    assertTrue(honest.get() > 0);
    beside.shutdown();
    assertEquals(before, files());
    assertFalse(Files.exists(Path.of("/tmp/hostile")));
    for (Thread thread : running()) {
      assertTrue(thread.join(Duration.ofSeconds(60)), thread + " still runs");
    }
    sandbox.close();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void isStopped(String name) throws Exception {
    List<String> attempts = attempts(Files.readString(PROGRAMS.resolve(name)));
    assertFalse(attempts.isEmpty());
    for (String attempt : attempts) {
      isStopped(attempt.lines().findFirst().orElseThrow().split(" ", 3), attempt);
    }
    try (SandboxSession session = sandbox.open(PATIENT)) {
      assertEquals(new Execution(Outcome.DONE, HONEST_RESULT, ""), session.run(HONEST));
    }
  }

  private static void isStopped(String[] end, String attempt) throws InterruptedException {
    Duration time = Duration.ofSeconds(end[1].matches("TIMEOUT|ANY") ? 1 : 60);
    SandboxLimits limits = new SandboxLimits(time, 256L << 20, 1000);
    try (SandboxSession session = sandbox.open(limits)) {
      Execution execution = session.run(attempt);
      if (!end[1].equals("ANY")) {
        assertEquals(
            Outcome.valueOf(end[1]), execution.outcome(), () -> attempt + " ended: " + execution);
      }
      String error = end.length > 2 ? end[2] : "";
      assertTrue(execution.error().startsWith(error), () -> attempt + " ended: " + execution);
      assertTrue(execution.output().length() < 1100, () -> execution.toString());
    }
  }

  /** Returns the programs of a file, each run separately. */
  private static List<String> attempts(String file) {
    return Stream.of(file.split("(?m)^(?=# (?:DONE|FAILED|MEMORY|TIMEOUT|ANY)\\b)", -1))
        .filter(attempt -> !attempt.isBlank())
        .toList();
  }

  static List<String> programs() throws IOException {
    try (Stream<Path> programs = Files.list(PROGRAMS)) {
      List<String> names =
          programs.map(program -> program.getFileName().toString()).sorted().toList();
      assertTrue(names.size() >= 40);
      return names;
    }
  }

  /** Returns the files in the working directory, where a program could have written. */
  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(""))) {
      return files.sorted().toList();
    }
  }

  private static List<Thread> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("roll-python-program"))
        .toList();
  }

  private static int honestWork() throws InterruptedException {
    int runs = 0;
    try (SandboxSession session = sandbox.open(PATIENT)) {
      session.run("seen = 0");
      while (!OVER.get()) {
        runs++;
        assertEquals(
            new Execution(Outcome.DONE, HONEST_RESULT, ""), session.run("seen += 1\n" + HONEST));
        assertEquals(runs + "\n", session.run("seen").output());
        Thread.sleep(200);
      }
    }
    return runs;
  }
}
