package roll.workspace.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.sandbox.Isolation;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.testkit.WorkspaceContract;

/** Workspaces where the kernel refuses namespaces, as in most containers. */
@Tag("processes")
@Timeout(120)
class PlainWorkspaceTest extends WorkspaceContract {
  private static final Path PYTHON = Path.of("/usr/bin/python3");
  private static final String UNSHARE = "272";
  private static final String LANDLOCK = "444";

  @AutoClose private final LocalWorkspaces provider = without(UNSHARE);

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(PYTHON), "skipped: no /usr/bin/python3");
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "skipped: calls of x86_64");
  }

  private static LocalWorkspaces without(String calls) {
    String script = Path.of("src/test/resources/without.py").toAbsolutePath().toString();
    return new LocalWorkspaces(
        new LaunchOptions(PYTHON, List.of(PYTHON.toString(), script, calls), List.of()));
  }

  @Override
  protected WorkspacePool open() {
    return provider.open(WorkspaceLimits.STANDARD, 2);
  }

  @Test
  void theReportNamesTheMeans() {
    assertEquals(
        "local: commands reach no files, network or processes of this machine (Landlock, seccomp;"
            + " missing: namespaces (Function not implemented))",
        provider.boundaries(Isolation.REQUIRED));
  }

  @Test
  void withoutLandlockItIsRefused() {
    LocalWorkspaces open = without(UNSHARE + "," + LANDLOCK);
    String refused = userError(() -> open.boundaries(Isolation.REQUIRED));
    assertTrue(refused.startsWith("the workspace 'local' cannot isolate commands from files"));
    String line = open.boundaries(Isolation.BEST_EFFORT);
    assertTrue(line.startsWith("local: commands REACH files"), line);
  }
}
