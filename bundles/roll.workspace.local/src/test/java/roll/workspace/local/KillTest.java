package roll.workspace.local;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;
import roll.testkit.JavaProcess;

/** A pool whose process or whose JVM is killed leaves nothing. */
@Tag("hostile")
@Timeout(120)
class KillTest {
  private static final WorkspaceTemplate EMPTY = new WorkspaceTemplate(null, null, null);

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "skipped: no /usr/bin/python3");
  }

  @Test
  void killedServersAreReplaced() throws Exception {
    try (WorkspacePool pool = new LocalWorkspaces().open(WorkspaceLimits.STANDARD, 2)) {
      List<ProcessHandle> processes = ProcessHandle.current().descendants().toList();
      ProcessHandle server =
          ProcessHandle.current()
              .children()
              .filter(child -> child.info().command().orElse("").contains("python"))
              .findFirst()
              .orElseThrow();
      try (Workspace workspace = pool.take(EMPTY)) {
        server.destroyForcibly();
        for (ProcessHandle process : processes) {
          process.onExit().get();
        }
        WorkspaceCommand command = WorkspaceCommand.shell("true", Duration.ofMinutes(1), 100);
        assertThrows(IOException.class, () -> workspace.run(command));
      }
      try (Workspace workspace = pool.take(EMPTY)) {
        WorkspaceCommand command = WorkspaceCommand.shell("echo anew", Duration.ofMinutes(1), 100);
        assertEquals("anew\n", workspace.run(command).output());
      }
    }
  }

  @Test
  void closingEndsWhatRuns() throws Exception {
    List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
    try (WorkspacePool pool = new LocalWorkspaces().open(WorkspaceLimits.STANDARD, 2);
        Workspace workspace = pool.take(EMPTY)) {
      WorkspaceCommand command = WorkspaceCommand.shell("sleep 600", Duration.ofMinutes(10), 100);
      Thread.ofPlatform()
          .daemon()
          .start(() -> assertThrows(IOException.class, () -> workspace.run(command)));
      await().until(() -> sleeping() > 0);
    }
    await()
        .until(
            () ->
                ProcessHandle.current().descendants().filter(p -> !before.contains(p)).count()
                    == 0);
  }

  @Test
  void anInterruptEndsTheCommand() throws Exception {
    try (WorkspacePool pool = new LocalWorkspaces().open(WorkspaceLimits.STANDARD, 1);
        Workspace workspace = pool.take(EMPTY)) {
      WorkspaceCommand command = WorkspaceCommand.shell("sleep 600", Duration.ofMinutes(10), 100);
      Thread caller = Thread.currentThread();
      Thread.ofVirtual()
          .start(
              () -> {
                await().until(() -> sleeping() > 0);
                caller.interrupt();
              });
      assertThrows(InterruptedException.class, () -> workspace.run(command));
      await().until(() -> sleeping() == 0);
    }
  }

  /** Returns the number of programs `sleep` below this process. */
  static long sleeping() {
    return ProcessHandle.current()
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/sleep"))
        .count();
  }

  @Test
  void nothingIsLeftOfAKilledJvm(@TempDir Path folder) throws Exception {
    Process process =
        JavaProcess.of(Killed.class, List.of("-Djava.io.tmpdir=" + folder), folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("running", lines.readLine());
      List<ProcessHandle> descendants = process.descendants().toList();
      assertFalse(descendants.isEmpty());
      process.destroyForcibly();
      for (ProcessHandle descendant : descendants) {
        descendant.onExit().get();
      }
      await().until(() -> pools(folder).isEmpty());
    } finally {
      process.destroyForcibly();
    }
  }

  /** Folders of pools whose server was killed are deleted by the next. */
  @Test
  void foldersOfKilledServersAreDeleted(@TempDir Path folder) throws Exception {
    Process process =
        JavaProcess.of(Killed.class, List.of("-Djava.io.tmpdir=" + folder), folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("running", lines.readLine());
      process.children().forEach(ProcessHandle::destroyForcibly);
      await().until(() -> process.descendants().count() == 0);
      assertEquals(1, pools(folder).size());
      process.destroyForcibly();
      process.onExit().get();
      assertEquals(1, pools(folder).size());
      Process next =
          JavaProcess.of(Killed.class, List.of("-Djava.io.tmpdir=" + folder), folder.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader other = next.inputReader(StandardCharsets.UTF_8)) {
        assertEquals("running", other.readLine());
        assertEquals(1, pools(folder).size());
      } finally {
        next.destroyForcibly();
      }
      await().until(() -> pools(folder).isEmpty());
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<Path> pools(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.getFileName().toString().startsWith("roll-workspace")).toList();
    }
  }

  /** A JVM with a command that runs. */
  static final class Killed {
    private Killed() {}

    /** Runs a command in a workspace with a template. */
    public static void main(String[] arguments) throws Exception {
      Path template = Files.createDirectories(Path.of(arguments[0], "template", "deep"));
      Files.writeString(template.resolve("file"), "text");
      try (WorkspacePool pool = new LocalWorkspaces().open(WorkspaceLimits.STANDARD, 2);
          Workspace workspace = pool.take(new WorkspaceTemplate(template, null, null))) {
        Thread.ofVirtual()
            .start(
                () -> {
                  await().until(() -> sleeping() > 0);
                  System.out.println("running");
                });
        try {
          workspace.run(
              WorkspaceCommand.shell("sleep 600 & sleep 600", Duration.ofMinutes(10), 100));
        } catch (IOException e) {
          Thread.sleep(600_000); // until it is killed
        }
      }
    }
  }
}
