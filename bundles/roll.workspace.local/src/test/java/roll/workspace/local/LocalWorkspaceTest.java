package roll.workspace.local;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.sandbox.Isolation;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;
import roll.testkit.WorkspaceContract;

/** Benign commands in workspaces of this machine. */
@Tag("processes")
@Timeout(120)
class LocalWorkspaceTest extends WorkspaceContract {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  private static final String CONNECT =
      "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", %d), 5)'";

  @AutoClose private final LocalWorkspaces provider = new LocalWorkspaces();

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(PYTHON), "skipped: no /usr/bin/python3");
  }

  @Override
  protected WorkspacePool open() {
    return provider.open(WorkspaceLimits.STANDARD, 2);
  }

  @Test
  void theReportNamesTheMeans() throws Exception {
    Process unshare = new ProcessBuilder("unshare", "-Un", "true").start();
    assumeTrue(unshare.waitFor() == 0, "skipped: no network namespaces for this user");
    assertEquals(
        "local: commands reach no files, network or processes of this machine (namespaces,"
            + " overlays, seccomp)",
        provider.boundaries(Isolation.REQUIRED));
  }

  /** The template is read once: it may change and disappear while workspaces use it. */
  @Test
  void templatesMayDisappear() throws Exception {
    Path folder = Files.createDirectory(template.resolve("other"));
    Files.writeString(folder.resolve("file"), "first\n");
    WorkspaceTemplate other = new WorkspaceTemplate(folder, null, null);
    try (WorkspacePool pool = open();
        Workspace workspace = pool.take(other)) {
      Files.delete(folder.resolve("file"));
      assertEquals("first\n", sh(workspace, "cat file").output());
      assertEquals(List.of(), workspace.diff());
    }
  }

  @Test
  void theDirectoryIsThatOfTheTemplate() throws Exception {
    WorkspaceTemplate other = new WorkspaceTemplate(template, null, "/srv/app");
    try (WorkspacePool pool = open();
        Workspace workspace = pool.take(other)) {
      assertEquals("/srv/app", workspace.directory());
      assertEquals("/srv/app\n1\n", sh(workspace, "pwd; cat /srv/app/src/one").output());
    }
  }

  @Test
  void theNetworkIsReachedWhereRequested() throws Exception {
    WorkspaceLimits standard = WorkspaceLimits.STANDARD;
    WorkspaceLimits limits =
        new WorkspaceLimits(
            standard.memory(), standard.processes(), standard.disk(), true, Isolation.REQUIRED);
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        WorkspacePool pool = provider.open(limits, 1);
        Workspace workspace = pool.take(template())) {
      assertEquals(0, sh(workspace, CONNECT.formatted(server.getLocalPort())).status());
    }
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Workspace workspace = take()) {
      assertEquals(1, sh(workspace, CONNECT.formatted(server.getLocalPort())).status());
    }
  }

  @Test
  void interruptsEndTheCommand() throws Exception {
    try (Workspace workspace = take()) {
      FutureTask<Object> endless =
          new FutureTask<>(
              () -> workspace.run(WorkspaceCommand.shell("sleep 600", Duration.ofMinutes(10), 10)));
      Thread thread = Thread.ofPlatform().daemon().start(endless);
      await().until(() -> KillTest.sleeping() > 0);
      thread.interrupt();
      Throwable thrown = assertThrows(Exception.class, endless::get).getCause();
      assertTrue(thrown instanceof InterruptedException, thrown::toString);
    }
    try (Workspace workspace = take()) {
      assertEquals(0, sh(workspace, "true").status());
    }
  }

  @Test
  void imagesAreRefused() throws Exception {
    try (WorkspacePool pool = open()) {
      assertEquals(
          "the workspace 'local' has no images, as the template's 'debian'",
          userError(() -> pool.take(new WorkspaceTemplate(null, "debian", null))));
    }
  }

  @Test
  void withoutPythonItSaysSo() {
    LocalWorkspaces without =
        new LocalWorkspaces(new LaunchOptions(Path.of("/no/python3"), List.of(), List.of()));
    assertEquals(
        "the workspace 'local' needs /no/python3, which is missing; set"
            + " -Droll.workspace.local.python",
        userError(() -> without.open(WorkspaceLimits.STANDARD, 1)));
  }
}
