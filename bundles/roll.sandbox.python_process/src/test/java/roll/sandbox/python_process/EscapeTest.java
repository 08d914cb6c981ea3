package roll.sandbox.python_process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;
import roll.testkit.EscapeTargets;

/**
 * Programs that try to escape at each level of isolation. The first line of each has its intention
 * and its expected end with and without isolation; {@code -} where it is not run. The test also
 * checks the files, a server and a process of this machine.
 */
@Tag("hostile")
@Timeout(120)
class EscapeTest {
  private static final Path ESCAPES = Path.of("src/test/resources/escapes");
  private static final String SECRET = "a key without read permission";
  private static final String HELPERS =
      """
      import ctypes, os
      def call(*arguments):
          result = ctypes.CDLL(None, use_errno=True).syscall(*arguments)
          if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
      """;

  private static final ProcessSandbox SANDBOX =
      new ProcessSandbox(new LaunchCommand(Path.of("/usr/bin/python3"), List.of()));

  private EscapeTargets target;

  /** A program that tries to escape. */
  record Escape(String what, String shutIn, String open, String program) {
    @Override
    public String toString() {
      return what;
    }
  }

  @BeforeEach
  void begin(@TempDir Path folder) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "skipped: no /usr/bin/python3");
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "skipped: calls of x86_64");
    target = EscapeTargets.in(folder, SECRET);
  }

  @AfterEach
  void end() throws IOException {
    if (target != null) {
      target.close();
    }
  }

  @ParameterizedTest
  @org.junit.jupiter.api.parallel.Execution(ExecutionMode.CONCURRENT)
  @MethodSource("escapes")
  void isStoppedWhereThatIsRequired(Escape escape) throws Exception {
    Execution execution = run(escape, Isolation.REQUIRED);
    assertEnds(escape.shutIn(), execution);
    assertFalse(execution.output().contains(SECRET), () -> execution.toString());
    target.assertUntouched();
  }

  @ParameterizedTest
  @org.junit.jupiter.api.parallel.Execution(ExecutionMode.CONCURRENT)
  @MethodSource("escapes")
  void isStoppedByWhatThereIs(Escape escape) throws Exception {
    Execution execution = run(escape, Isolation.BEST_EFFORT);
    assertEnds(escape.shutIn(), execution);
    target.assertUntouched();
  }

  /** Without isolation the programs reach what the README names. */
  @ParameterizedTest
  @org.junit.jupiter.api.parallel.Execution(ExecutionMode.CONCURRENT)
  @MethodSource("escapes")
  void endsAsSaidWhereNothingShutsItIn(Escape escape) throws Exception {
    assumeTrue(!escape.open().equals("-"), "not tried: it would do harm");
    assertEnds(escape.open(), run(escape, Isolation.NONE));
  }

  private Execution run(Escape escape, Isolation isolation) throws Exception {
    boolean endless = escape.shutIn().equals("TIMEOUT");
    Duration time = Duration.ofSeconds(endless ? 1 : 60);
    SandboxLimits limits = new SandboxLimits(time, 256L << 20, 1000, isolation);
    try (SandboxSession session = SANDBOX.open(limits)) {
      Execution execution = session.run(HELPERS + target.filled(escape.program()));
      assertTrue(execution.output().length() < 1100, () -> execution.toString());
      // the next program of the session reports its own result
      assertEquals(new Execution(Outcome.DONE, "42\n", ""), session.run("print(6 * 7)"));
      return execution;
    }
  }

  private static void assertEnds(String end, Execution execution) {
    String[] words = end.split(" ", 2);
    if (!words[0].equals("ANY")) {
      assertEquals(Outcome.valueOf(words[0]), execution.outcome(), () -> execution.toString());
      String error = words.length > 1 ? words[1] : "";
      boolean begins = execution.error().startsWith(error);
      boolean isOsError = error.equals("OSError") && execution.error().contains("[Errno ");
      assertTrue(begins || isOsError, () -> end + " but: " + execution);
    }
  }

  static List<Escape> escapes() throws IOException {
    List<Escape> escapes = new ArrayList<>();
    try (Stream<Path> files = Files.list(ESCAPES)) {
      for (Path file : files.sorted().toList()) {
        for (String block : Files.readString(file).split("(?m)^#: ", -1)) {
          if (!block.isBlank()) {
            String[] head = block.lines().findFirst().orElseThrow().split(" \\| ", 3);
            escapes.add(new Escape(head[0], head[1], head[2], "#: " + block));
          }
        }
      }
    }
    assertTrue(escapes.size() >= 110);
    return escapes;
  }
}
