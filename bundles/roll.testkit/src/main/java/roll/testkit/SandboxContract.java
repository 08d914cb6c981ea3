package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/**
 * The guarantees of every {@link Sandbox} for Python. A plugin's test extends this class, creates
 * the sandbox, and inherits the tests.
 */
public abstract class SandboxContract {
  /** Returns the sandbox under test, which the subclass closes. */
  protected abstract Sandbox sandbox();

  /** Returns limits of {@code seconds}, 256 MiB and 100 characters of output. */
  protected static SandboxLimits limits(int seconds) {
    return new SandboxLimits(Duration.ofSeconds(seconds), 256L << 20, 100);
  }

  /** Returns the result of a successful program. */
  protected static Execution done(String output) {
    return new Execution(Outcome.DONE, output, "");
  }

  @ContractTest(
      value = "A session keeps variables, and prints the value of a last expression.",
      look = "SandboxSession.run()")
  void programsRunAsInANotebook() throws Exception {
    try (SandboxSession session = sandbox().open(limits(60))) {
      assertEquals(done("a\n"), session.run("x = 20\nprint('a')"));
      assertEquals(done("400\n"), session.run("x * x"));
      assertEquals(done("a\n'b'\n"), session.run("print('a')\n'b'"));
      assertEquals(done(""), session.run("x = 3"));
      assertEquals(done(""), session.run("None"));
      assertEquals(done(""), session.run(""));
    }
  }

  @ContractTest(
      value = "An error is the last line of its traceback, after the output.",
      look = "SandboxSession.run(): exceptions, syntax errors and SystemExit")
  void errorsAreTheLastLineOfTheTraceback() throws Exception {
    try (SandboxSession session = sandbox().open(limits(60))) {
      assertEquals(
          new Execution(Outcome.FAILED, "before\n", "ZeroDivisionError: division by zero"),
          session.run("print('before')\n1 / 0"));
      assertEquals("ValueError: a b", session.run("raise ValueError('a\\nb')").error());
      assertTrue(session.run("def f(:").error().startsWith("SyntaxError: "));
      assertEquals("SystemExit: 3", session.run("import sys\nsys.exit(3)").error());
    }
  }

  @ContractTest(
      value = "Output beyond the limit of characters is dropped, with a note.",
      look = "SandboxSession.run(): the buffer of the output")
  void longOutputIsTruncated() throws Exception {
    try (SandboxSession session = sandbox().open(limits(60))) {
      assertEquals(
          done("é".repeat(100) + "\n… (cut after 100 characters)"),
          session.run("print('é' * 10**6)"));
      assertEquals(done("é".repeat(99) + "\n"), session.run("print('é' * 99)"));
    }
  }

  @ContractTest(
      value = "A program is stopped at its time limit, and the session starts again.",
      look = "SandboxSession.run(): cancellation, and the state after it")
  void aStoppedSessionStartsAgain() throws Exception {
    try (SandboxSession session = sandbox().open(limits(4))) {
      session.run("x = 1");
      assertEquals(
          new Execution(Outcome.TIMEOUT, "so far\n", "TimeoutError: stopped after 4.0 s"),
          session.run("print('so far')\nwhile True: pass"));
      assertEquals("NameError: name 'x' is not defined", session.run("x").error());
      assertEquals(done("2\n"), session.run("1 + 1"));
    }
  }

  @ContractTest(
      value = "Sessions share no variables, imports or modified modules.",
      look = "Sandbox.open(): interpreters that sessions share")
  void sessionsAreIsolated() throws Exception {
    try (SandboxSession one = sandbox().open(limits(60));
        SandboxSession other = sandbox().open(limits(60))) {
      one.run("import math\nmath.pi = 3\ndef area(r): return math.pi * r * r");
      assertEquals(done("12\n"), one.run("area(2)"));
      assertEquals("NameError: name 'area' is not defined", other.run("area(2)").error());
      assertEquals("NameError: name 'math' is not defined", other.run("math.pi").error());
      assertEquals(done("3.14\n"), other.run("import math\nround(math.pi, 2)"));
    }
  }

  @ContractTest(
      value = "The standard library can be imported.",
      look = "the import path of the interpreter")
  void theStandardLibraryIsThere() throws Exception {
    try (SandboxSession session = sandbox().open(limits(60))) {
      assertEquals(
          done("Point(x=1, y=Fraction(1, 3))\n"),
          session.run(
              """
              import typing, re, json, random, datetime, decimal, statistics, hashlib
              from fractions import Fraction
              from dataclasses import dataclass
              @dataclass
              class Point:
                x: int
                y: Fraction
              Point(1, Fraction(2, 6))\
              """));
    }
  }
}
