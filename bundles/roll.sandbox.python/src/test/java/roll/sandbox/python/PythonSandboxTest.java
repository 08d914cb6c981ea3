package roll.sandbox.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/** Benign programs in the sandbox. */
@Timeout(120)
class PythonSandboxTest {
  private static final SandboxLimits LIMITS =
      new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 100);

  /** One folder for all tests of a JVM, since the language reads its path once. */
  private static final Path CACHE = Path.of("target", "graalpy");

  @AutoClose private static PythonSandbox sandbox;

  @BeforeAll
  static void open() {
    sandbox = new PythonSandbox(CACHE);
  }

  @Test
  void printsAndShowsTheLastExpression() throws Exception {
    assertEquals(done("2\n"), run("1 + 1"));
    assertEquals(done("a\n'b'\n"), run("print('a')\n'b'"));
    assertEquals(done(""), run("x = 3"));
    assertEquals(done(""), run("None"));
    assertEquals(done(""), run(""));
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

  @Test
  void sessionsKeepWhatTheyKnowToThemselves() throws Exception {
    try (SandboxSession one = sandbox.open(LIMITS);
        SandboxSession other = sandbox.open(LIMITS)) {
      assertEquals(done(""), one.run("import math\ndef area(r): return math.pi * r * r"));
      assertEquals(done("12.57\n"), one.run("round(area(2), 2)"));
      assertEquals("NameError: name 'area' is not defined", other.run("area(2)").error());
    }
  }

  @Test
  void errorsAreTheLastLineOfTheTraceback() throws Exception {
    assertEquals(
        new Execution(Outcome.FAILED, "before\n", "ZeroDivisionError: division by zero"),
        run("print('before')\n1 / 0"));
    assertEquals("ValueError: a b", run("raise ValueError('a\\nb')").error());
    assertTrue(run("def f(:").error().startsWith("SyntaxError: "), run("def f(:").error());
    assertEquals("SystemExit: 3", run("import sys\nsys.exit(3)").error());
  }

  @Test
  void longOutputIsCut() throws Exception {
    assertEquals(
        done("a".repeat(100) + "\n… (cut after 100 characters)"), run("print('a' * 10**6)"));
    assertEquals(done("é".repeat(99) + "\n"), run("print('é' * 99)"));
  }

  @Test
  void aStoppedSessionBeginsAfresh() throws Exception {
    SandboxLimits shortly = new SandboxLimits(Duration.ofSeconds(4), 256L << 20, 100);
    try (SandboxSession session = sandbox.open(shortly)) {
      session.run("x = 1");
      assertEquals(
          new Execution(Outcome.TIMEOUT, "so far\n", "TimeoutError: stopped after 4.0 s"),
          session.run("print('so far')\nwhile True: pass"));
      assertEquals("NameError: name 'x' is not defined", session.run("x").error());
    }
  }

  @Test
  void theStandardLibraryIsThere() throws Exception {
    String modules =
        "typing, re, json, random, datetime, fractions, decimal, statistics, hashlib, dataclasses";
    assertEquals(
        done("Point(x=1, y=Fraction(1, 3))\n"),
        run(
            "import "
                + modules
                + "\nfrom fractions import Fraction\nfrom dataclasses import dataclass\n"
                + "@dataclass\nclass Point:\n  x: int\n  y: Fraction\nPoint(1, Fraction(2, 6))"));
  }

  /** Closing ends interpreters in any stage of preparation. */
  @ParameterizedTest
  @ValueSource(ints = {0, 40, 80, 120, 160, 200, 240, 280})
  void closingEndsWhatRunsAndWhatIsBeingMade(int milliseconds) throws Exception {
    PythonSandbox closing = new PythonSandbox(CACHE);
    try (SandboxSession session = closing.open(LIMITS)) {
      assertEquals(done("2\n"), session.run("1 + 1"));
      FutureTask<Execution> endless = new FutureTask<>(() -> session.run("while True: pass"));
      Thread.ofPlatform().daemon().start(endless);
      Thread.sleep(milliseconds);
      closing.close();
      assertEquals(Outcome.FAILED, endless.get().outcome());
      assertThrows(IllegalStateException.class, () -> closing.open(LIMITS).run("1"));
    }
  }

  private static Execution run(String program) throws InterruptedException {
    try (SandboxSession session = sandbox.open(LIMITS)) {
      return session.run(program);
    }
  }

  private static Execution done(String output) {
    return new Execution(Outcome.DONE, output, "");
  }
}
