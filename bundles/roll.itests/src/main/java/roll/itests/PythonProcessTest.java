package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.ServiceReference;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/** The process sandbox as a bundle: its processes are isolated, and end with it. */
@Tag("framework")
@Timeout(300)
class PythonProcessTest {
  private static final SandboxLimits LIMITS =
      new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 1000);

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "skipped: no /usr/bin/python3");
  }

  @Test
  void programsRunAreShutInAndStopped() throws Exception {
    ServiceReference<Sandbox> found = sandbox();
    Sandbox sandbox = Plugins.context().getService(found);
    assertTrue(
        sandbox.boundaries(Isolation.REQUIRED).contains("no files, network or processes"),
        sandbox.boundaries(Isolation.REQUIRED));
    try (SandboxSession session = sandbox.open(LIMITS)) {
      assertEquals(
          new Execution(Outcome.DONE, "hello\n55\n", ""),
          session.run("import re, json\nprint('hello')\nsum(range(11))"));
      assertEquals(Outcome.FAILED, session.run("open('/etc/passwd').read()").outcome());
    } finally {
      Plugins.context().ungetService(found);
    }
  }

  @Test
  void itsProcessesGoWithTheBundle() throws Exception {
    try (BundleVersions edition = BundleVersions.of("roll.sandbox.python_process")) {
      List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
      ServiceReference<Sandbox> found = sandbox();
      Sandbox sandbox = Plugins.context().getService(found);
      SandboxSession session = sandbox.open(LIMITS);
      assertEquals(new Execution(Outcome.DONE, "2\n", ""), session.run("1 + 1"));
      List<ProcessHandle> begun =
          ProcessHandle.current().descendants().filter(p -> !before.contains(p)).toList();
      assertFalse(begun.isEmpty());
      Plugins.context().ungetService(found);
      edition.update();
      for (ProcessHandle process : begun) {
        process.onExit().get();
      }
    }
  }

  private static ServiceReference<Sandbox> sandbox() throws Exception {
    return List.copyOf(
            Plugins.context().getServiceReferences(Sandbox.class, "(roll.sandbox=python_process)"))
        .getFirst();
  }
}
