package roll.sandbox.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.config.UserException;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/** The installed python3, where there is one. */
@Timeout(120)
class ProcessSandboxTest {
  private final ProcessSandbox sandbox = new ProcessSandbox((String) null);

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "skipped: no /usr/bin/python3");
  }

  @Test
  void runsLikeTheOther() throws Exception {
    try (SandboxSession session = sandbox.open(limits(60))) {
      assertEquals(new Execution(Outcome.DONE, "a\n", ""), session.run("x = 20\nprint('a')"));
      assertEquals(new Execution(Outcome.DONE, "400\n", ""), session.run("x * x"));
      assertEquals(
          new Execution(Outcome.FAILED, "", "ZeroDivisionError: division by zero"),
          session.run("1 / 0"));
      assertEquals("SystemExit: 3", session.run("raise SystemExit(3)").error());
      assertEquals("EOFError: EOF when reading a line", session.run("input()").error());
      assertEquals(
          "é".repeat(100) + "\n… (cut after 100 characters)",
          session.run("print('é' * 10**6)").output());
    }
  }

  @Test
  void isStoppedAndBeginsAfresh() throws Exception {
    try (SandboxSession session = sandbox.open(limits(4))) {
      session.run("x = 1");
      assertEquals(Outcome.TIMEOUT, session.run("while True: pass").outcome());
      assertEquals("NameError: name 'x' is not defined", session.run("x").error());
      assertEquals(Outcome.MEMORY, session.run("'a' * 10**10").outcome());
      assertEquals(Outcome.TIMEOUT, session.run("10 ** 10 ** 8").outcome());
      assertEquals(
          "SystemExit: the interpreter ended", session.run("import os\nos._exit(0)").error());
      assertEquals("2\n", session.run("1 + 1").output());
    }
  }

  @Test
  void writesNothingAndKnowsNothing() throws Exception {
    String folder;
    try (SandboxSession session = sandbox.open(limits(60))) {
      Execution written = session.run("import os\nwith open('f', 'w') as f: f.write('a' * 10000)");
      assertTrue(written.error().startsWith("OSError"), written.error());
      folder = session.run("print(os.getcwd())").output().strip();
      assertTrue(Files.isDirectory(Path.of(folder)), folder);
      String known = session.run("sorted(set(os.environ) - {'LC_CTYPE'})").output();
      assertEquals("[]\n", known);
    }
    assertTrue(Files.notExists(Path.of(folder)));
  }

  @Test
  void withoutPythonItSaysSo() {
    UserException refused =
        assertThrows(UserException.class, () -> new ProcessSandbox("/no/python3").open(limits(1)));
    assertEquals(
        "the sandbox 'python_process' needs /no/python3, which is not there; set"
            + " -Droll.sandbox.python_process.python",
        refused.getMessage());
  }

  private static SandboxLimits limits(int seconds) {
    return new SandboxLimits(Duration.ofSeconds(seconds), 256L << 20, 100);
  }
}
