package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.ServiceReference;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/** The Python sandbox as a bundle: its language is found and isolated inside the framework. */
@Tag("framework")
@Timeout(300)
class PythonTest {
  /** Limits for the first import of a module, which takes seconds on a loaded machine. */
  private static final SandboxLimits LIMITS =
      new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 1000);

  private static final SandboxLimits SHORT =
      new SandboxLimits(Duration.ofSeconds(5), 256L << 20, 1000);

  @Test
  void anotherVersionOfTheBundleRunsProgramsToo() throws Exception {
    assertRuns("original");
    try (BundleVersions edition = BundleVersions.of("roll.sandbox.python")) {
      assertRuns("another bundle");
      edition.update();
      assertRuns("its next version");
      edition.stop();
      edition.start();
      assertRuns("started again");
    }
    assertRuns("original, after the other was uninstalled");
  }

  private static void assertRuns(String text) throws Exception {
    ServiceReference<Sandbox> found = sandbox();
    try (SandboxSession session = Plugins.context().getService(found).open(LIMITS)) {
      assertEquals(
          new Execution(Outcome.DONE, text + "\n", ""),
          session.run("import textwrap\nprint('%s')".formatted(text)));
    } finally {
      Plugins.context().ungetService(found);
    }
  }

  private static ServiceReference<Sandbox> sandbox() throws Exception {
    return List.copyOf(
            Plugins.context().getServiceReferences(Sandbox.class, "(roll.sandbox=python)"))
        .getFirst();
  }

  @Test
  void programsRunAreShutInAndStopped() throws Exception {
    ServiceReference<Sandbox> found = sandbox();
    Sandbox sandbox = Plugins.context().getService(found);
    try (SandboxSession session = sandbox.open(LIMITS)) {
      assertEquals(
          new Execution(Outcome.DONE, "hello\n55\n", ""),
          session.run("import re, json\nprint('hello')\nsum(range(11))"));
      Execution file = session.run("open('/etc/passwd').read()");
      assertEquals(Outcome.FAILED, file.outcome());
      assertTrue(file.error().startsWith("PermissionError"), file.error());
    }
    try (SandboxSession session = sandbox.open(SHORT)) {
      assertEquals(Outcome.TIMEOUT, session.run("while True: pass").outcome());
      assertEquals(new Execution(Outcome.DONE, "2\n", ""), session.run("1 + 1"));
    } finally {
      Plugins.context().ungetService(found);
    }
  }
}
