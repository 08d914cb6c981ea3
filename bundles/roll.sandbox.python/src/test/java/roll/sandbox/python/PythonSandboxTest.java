package roll.sandbox.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxSession;
import roll.testkit.SandboxContract;

/** Benign programs in the sandbox. */
@Timeout(120)
class PythonSandboxTest extends SandboxContract {
  /** One folder for all tests of a JVM, since the language reads its path once. */
  private static final Path CACHE = Path.of("target", "graalpy");

  @AutoClose private static PythonSandbox sandbox;

  @Override
  protected Sandbox sandbox() {
    return sandbox;
  }

  @BeforeAll
  static void open() {
    sandbox = new PythonSandbox(CACHE);
  }

  @Test
  void powersAreThoseOfPython() throws Exception {
    assertEquals(
        done("[1024, 1, 0.5, 6, 8]\n"),
        run("n = 10\n[2**n, 7**0, 2**-1, pow(3, 9, 7) + 0, 1 << 3]"));
    assertEquals(done("81\n"), run("n = 3\nn **= 4\nn"));
  }

  @Test
  void productsAreThoseOfPython() throws Exception {
    assertEquals(
        done("[24, 1, 10, 20, 6, 720, 12.0, 1, 256]\n"),
        run(
            "import math, operator\nfrom functools import reduce\n"
                + "[math.factorial(4), math.factorial(0), math.comb(5, 2), math.perm(5, 2),"
                + " math.perm(3), math.prod([1, 2, 3, 4, 5, 6]), math.prod([2, 3], start=2.0),"
                + " reduce(operator.mul, [], 1), operator.pow(2, 8)]"));
    assertEquals("6\n", run("from functools import reduce\nreduce(max, [1, 6, 2])").output());
    assertEquals(
        "TypeError: reduce() of empty iterable with no initial value",
        run("from functools import reduce\nreduce(max, [])").error());
  }

  @Test
  void whatImportsSignalsIsThere() throws Exception {
    assertEquals(done("15\n"), run("import signal, subprocess, unittest\nint(signal.SIGTERM)"));
  }

  /** Closing ends interpreters in any stage of preparation. */
  @ParameterizedTest
  @ValueSource(ints = {0, 40, 80, 120, 160, 200, 240, 280})
  void closingEndsWhatRunsAndWhatIsBeingMade(int milliseconds) throws Exception {
    PythonSandbox closing = new PythonSandbox(CACHE);
    try (SandboxSession session = closing.open(limits(60))) {
      assertEquals(done("2\n"), session.run("1 + 1"));
      FutureTask<Execution> endless = new FutureTask<>(() -> session.run("while True: pass"));
      Thread.ofPlatform().daemon().start(endless);
      Thread.sleep(milliseconds);
      closing.close();
      assertEquals(Outcome.FAILED, endless.get().outcome());
      assertThrows(IllegalStateException.class, () -> closing.open(limits(60)).run("1"));
    }
  }

  private static Execution run(String program) throws InterruptedException {
    try (SandboxSession session = sandbox.open(limits(60))) {
      return session.run(program);
    }
  }
}
