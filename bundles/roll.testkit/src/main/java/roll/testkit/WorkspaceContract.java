package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.workspace.CommandResult;
import roll.api.workspace.CommandResult.Outcome;
import roll.api.workspace.FileChange;
import roll.api.workspace.FileChange.Kind;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;

/**
 * The guarantees of every {@link WorkspacePool}. A plugin's test extends this class, opens a pool
 * of two workspaces, and inherits the tests.
 */
public abstract class WorkspaceContract {
  /** The folder of the template. */
  protected Path template;

  private WorkspacePool pool;

  /** Opens the pool under test, with two workspaces. */
  protected abstract WorkspacePool open();

  /** Returns the template with these files. */
  protected WorkspaceTemplate template() {
    return new WorkspaceTemplate(template, null, null);
  }

  @BeforeEach
  void begin(@TempDir Path folder) throws IOException {
    template = folder;
    Files.createDirectories(template.resolve("src/deep"));
    Files.writeString(template.resolve("readme"), "of the template\n");
    Files.writeString(template.resolve("src/one"), "1\n");
    Files.writeString(template.resolve("src/deep/two"), "2\n");
    pool = open();
  }

  @AfterEach
  void end() {
    if (pool != null) {
      pool.close();
    }
  }

  /** Takes a workspace of the template. */
  protected Workspace take() throws InterruptedException {
    return pool.take(template());
  }

  /** Runs a line of a shell within a minute. */
  protected static CommandResult sh(Workspace workspace, String line)
      throws IOException, InterruptedException {
    return workspace.run(WorkspaceCommand.shell(line, Duration.ofMinutes(1), 1000));
  }

  private static CommandResult exited(int status, String output) {
    return new CommandResult(Outcome.EXITED, status, output, 0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String read(Workspace workspace, String path) throws IOException {
    return new String(workspace.read(path, 1000), StandardCharsets.UTF_8);
  }

  @ContractTest(
      value = "A workspace begins as its template, whatever the one before it did.",
      look = "WorkspacePool.take(): the reset of files; the template must not change")
  void everyWorkspaceIsNew() throws Exception {
    for (int episode = 0; episode < 3; episode++) {
      try (Workspace workspace = take()) {
        assertEquals(List.of(), workspace.diff());
        assertEquals(exited(0, "of the template\n"), sh(workspace, "cat readme"));
        assertEquals(exited(0, ""), sh(workspace, "rm -r src; echo 3 > new; echo 4 > readme"));
      }
    }
    assertEquals("of the template\n", Files.readString(template.resolve("readme")));
    assertTrue(Files.exists(template.resolve("src/deep/two")));
    assertFalse(Files.exists(template.resolve("new")));
  }

  @ContractTest(
      value = "A command has the workspace as its directory; status and output are its own.",
      look = "Workspace.run(): working directory, exit status, standard output and error")
  void commandsRun() throws Exception {
    try (Workspace workspace = take()) {
      assertEquals(exited(0, workspace.directory() + "\n"), sh(workspace, "pwd"));
      assertEquals(exited(3, "out\nerr\n"), sh(workspace, "echo out; echo err >&2; exit 3"));
      assertEquals(137, sh(workspace, "kill -9 $$").status());
      assertEquals(0, sh(workspace, "yes | head -n 2").status());
      assertEquals(exited(0, ""), sh(workspace, "cat"), "there is no input");
      assertEquals("a\uFFFDb", sh(workspace, "printf 'a\\377b'").output());
      WorkspaceCommand missing =
          new WorkspaceCommand(List.of("no-such-program"), Map.of(), Duration.ofMinutes(1), 1000);
      assertEquals(127, workspace.run(missing).status());
      WorkspaceCommand variables =
          new WorkspaceCommand(
              List.of("/bin/sh", "-c", "echo \"$A $1\"", "sh", "two words"),
              Map.of("A", "x=y"),
              Duration.ofMinutes(1),
              1000);
      assertEquals(exited(0, "x=y two words\n"), workspace.run(variables));
    }
  }

  @ContractTest(
      value = "Of long output the begin and the end are kept.",
      look = "Workspace.run(): WorkspaceCommand.output, CommandResult.dropped")
  void longOutputIsCut() throws Exception {
    try (Workspace workspace = take()) {
      WorkspaceCommand command =
          WorkspaceCommand.shell("seq 1 100000; printf end", Duration.ofMinutes(1), 20);
      CommandResult result = workspace.run(command);
      assertTrue(result.output().startsWith("1\n2\n3\n4\n5\n"), result::toString);
      assertTrue(result.output().endsWith("100000\nend"), result::toString);
      assertEquals(20, result.output().length());
      assertEquals(588895 + 3 - 20, result.dropped());
    }
  }

  @ContractTest(
      value = "A command is ended at its time limit with all it started; others run afterwards.",
      look = "Workspace.run(): the time limit, and processes that leave their session")
  void commandsEnd() throws Exception {
    try (Workspace workspace = take()) {
      WorkspaceCommand endless =
          WorkspaceCommand.shell("echo begun; trap '' TERM; sleep 600", Duration.ofSeconds(1), 100);
      CommandResult result = workspace.run(endless);
      assertEquals(Outcome.TIMEOUT, result.outcome());
      assertEquals("begun\n", result.output());
      assertEquals(exited(0, "left\n"), sh(workspace, "(sleep 2; touch late) & echo left"));
      assertEquals(exited(0, "src\n"), sh(workspace, "sleep 3; ls -d src late 2>/dev/null; true"));
    }
  }

  @ContractTest(
      value = "A command is ended by another thread, and the workspace stays.",
      look = "Workspace.end(), also when no command runs")
  void commandsAreEnded() throws Exception {
    try (Workspace workspace = take()) {
      workspace.end();
      assertEquals(exited(0, "1\n"), sh(workspace, "cat src/one"));
      FutureTask<CommandResult> running =
          new FutureTask<>(() -> sh(workspace, "sleep 600; echo late"));
      Thread.ofVirtual().start(running);
      while (!running.isDone()) {
        workspace.end(); // before it has begun, there is nothing to end
        Thread.sleep(500);
      }
      assertEquals(Outcome.ENDED, running.get().outcome());
      assertEquals(137, running.get().status());
      assertFalse(running.get().succeeded());
      assertEquals(exited(0, "1\n"), sh(workspace, "cat src/one"));
    }
  }

  @ContractTest(
      value = "Files are read and written with their directories.",
      look = "Workspace.read() and write()")
  void filesAreReadAndWritten() throws Exception {
    try (Workspace workspace = take()) {
      workspace.write("new/folder/file", bytes("text"));
      assertEquals("text", read(workspace, "new/folder/file"));
      assertEquals("text", read(workspace, workspace.directory() + "/new/folder/file"));
      assertEquals(exited(0, "text"), sh(workspace, "cat new/folder/file"));
      assertEquals(exited(0, ""), sh(workspace, "echo '#!/bin/sh' > run; chmod 755 run"));
      workspace.write("run", bytes("#!/bin/sh\necho ran\n"));
      assertEquals(exited(0, "ran\n"), sh(workspace, "./run"));
      assertEquals("1\n", read(workspace, "src/deep/../one"));
      assertThrows(IOException.class, () -> workspace.read("no-such-file", 1000));
      assertThrows(IOException.class, () -> workspace.read("src", 1000));
      assertThrows(IOException.class, () -> workspace.read("new/folder/file", 3));
      assertThrows(IOException.class, () -> workspace.write("src", bytes("")));
      assertThrows(IOException.class, () -> workspace.write("readme/file", bytes("")));
    }
  }

  @ContractTest(
      value = "A path that leads outside is refused, also by a link.",
      look = "Workspace.read(), write() and copy(): '..', absolute paths and links")
  void pathsStayInside() throws Exception {
    try (Workspace workspace = take()) {
      assertEquals(
          exited(0, ""),
          sh(workspace, "ln -s /etc out; ln -s /etc/passwd file; ln -s src in; mkfifo fifo"));
      assertEquals("1\n", read(workspace, "in/one"));
      for (String path :
          List.of("../../etc/passwd", "/etc/passwd", "out/passwd", "file", "fifo", "a\0b")) {
        assertThrows(IOException.class, () -> workspace.read(path, 100_000), path);
        assertThrows(IOException.class, () -> workspace.write(path, bytes("x")), path);
      }
      assertThrows(IOException.class, () -> workspace.write("out/new", bytes("x")));
      assertThrows(IOException.class, () -> workspace.write("../new", bytes("x")));
      assertThrows(IOException.class, () -> workspace.copy(template, "out"));
    }
  }

  @ContractTest(
      value = "The difference names each file that was added, modified or deleted.",
      look = "Workspace.diff(): deleted directories, modes, and files written with equal content")
  void differencesAreFound() throws Exception {
    try (Workspace workspace = take()) {
      sh(workspace, "echo 1 > src/one; echo new > src/new; chmod 755 readme; rm -r src/deep");
      workspace.write("z", bytes("z"));
      assertEquals(
          List.of(
              new FileChange("readme", Kind.MODIFIED),
              new FileChange("src/deep/two", Kind.DELETED),
              new FileChange("src/new", Kind.ADDED),
              new FileChange("z", Kind.ADDED)),
          workspace.diff());
      sh(workspace, "rm -r src; ln -s / src; rm readme; mkdir readme; echo a > readme/a");
      assertEquals(
          List.of(
              new FileChange("readme", Kind.DELETED),
              new FileChange("readme/a", Kind.ADDED),
              new FileChange("src", Kind.ADDED),
              new FileChange("src/deep/two", Kind.DELETED),
              new FileChange("src/one", Kind.DELETED),
              new FileChange("z", Kind.ADDED)),
          workspace.diff());
    }
  }

  @ContractTest(
      value = "Files return to a snapshot, as often as requested.",
      look = "Workspace.snapshot() and restore(): deleted and new files after several snapshots")
  void snapshotsAreRestored() throws Exception {
    try (Workspace workspace = take()) {
      sh(workspace, "echo a > a; rm -r src/deep");
      int first = workspace.snapshot();
      List<FileChange> then = workspace.diff();
      sh(workspace, "echo b > b; rm a; mkdir src/deep; echo 5 > src/deep/five");
      int second = workspace.snapshot();
      List<FileChange> later = workspace.diff();
      sh(workspace, "rm -r src b readme");
      for (int time = 0; time < 2; time++) {
        workspace.restore(first);
        assertEquals(then, workspace.diff());
        assertEquals(exited(0, "a\n"), sh(workspace, "cat a; rm a; ls src/deep 2>/dev/null; true"));
        workspace.restore(second);
        assertEquals(later, workspace.diff());
        assertEquals(exited(0, "b\nfive\n"), sh(workspace, "cat b; rm b; ls src/deep"));
      }
      assertThrows(IllegalArgumentException.class, () -> workspace.restore(second + 7));
    }
  }

  @ContractTest(
      value = "A folder is copied over existing files.",
      look = "Workspace.copy(): modes, links, and files that exist")
  void foldersAreCopied(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("src/tests"));
    Files.writeString(folder.resolve("src/tests/check"), "#!/bin/sh\necho checked\n");
    assertTrue(folder.resolve("src/tests/check").toFile().setExecutable(true));
    Files.writeString(folder.resolve("src/one"), "another\n");
    Files.createSymbolicLink(folder.resolve("src/link"), Path.of("one"));
    try (Workspace workspace = take()) {
      workspace.copy(folder, "");
      assertEquals(
          exited(0, "checked\nanother\n2\n"),
          sh(workspace, "src/tests/check; cat src/link src/deep/two"));
      workspace.copy(folder.resolve("src/tests"), "new/place");
      assertEquals(exited(0, "checked\n"), sh(workspace, "new/place/check"));
    }
  }

  @ContractTest(
      value = "Workspaces at the same time do not see one another's files.",
      look = "WorkspacePool.take(): folders that workspaces share, as those for temporary files")
  void workspacesAreApart() throws Exception {
    try (Workspace one = take();
        Workspace other = take()) {
      sh(one, "echo 1 > file; echo 1 > ${TMPDIR:-/tmp}/file; echo 1 > $HOME/file");
      assertEquals(
          exited(0, ""), sh(other, "cat file ${TMPDIR:-/tmp}/file $HOME/file 2>/dev/null; true"));
    }
  }

  @ContractTest(
      value = "A pool waits while all its workspaces are in use.",
      look = "WorkspacePool.take() and Workspace.close()")
  void theirNumberIsBounded() throws Exception {
    List<Workspace> taken = new ArrayList<>(List.of(take(), take()));
    FutureTask<Workspace> third = new FutureTask<>(this::take);
    Thread.ofVirtual().start(third);
    assertThrows(TimeoutException.class, () -> third.get(300, TimeUnit.MILLISECONDS));
    taken.getFirst().close();
    taken.getFirst().close();
    try (Workspace workspace = third.get()) {
      assertEquals(exited(0, "1\n"), sh(workspace, "cat src/one"));
      FutureTask<Workspace> fourth = new FutureTask<>(this::take);
      Thread.ofVirtual().start(fourth);
      assertThrows(TimeoutException.class, () -> fourth.get(300, TimeUnit.MILLISECONDS));
      taken.getLast().close();
      fourth.get().close();
    }
  }

  @ContractTest(
      value = "A template that is missing is refused; one without a folder is empty.",
      look = "WorkspacePool.take()")
  void templatesAreChecked() throws Exception {
    Path missing = template.resolve("missing");
    assertThrows(
        UserException.class, () -> pool.take(new WorkspaceTemplate(missing, null, null)).close());
    try (Workspace workspace = pool.take(new WorkspaceTemplate(null, null, null))) {
      assertEquals(exited(0, ""), sh(workspace, "ls -A"));
    }
  }
}
