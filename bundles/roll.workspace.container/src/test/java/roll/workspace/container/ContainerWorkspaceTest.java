package roll.workspace.container;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.workspace.CommandResult;
import roll.api.workspace.CommandResult.Outcome;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;
import roll.testkit.JavaProcess;
import roll.testkit.WorkspaceContract;

/** The contract in containers of this machine's engine, and commands that resist. */
@Tag("hostile")
@Timeout(300)
class ContainerWorkspaceTest extends WorkspaceContract {
  private static EngineOptions options = new EngineOptions("", List.of(), "");

  @BeforeAll
  static void makeImage(@TempDir Path folder) throws Exception {
    options = TestImage.options(folder);
  }

  @Override
  protected WorkspacePool open() {
    return new ContainerWorkspaces(options).open(WorkspaceLimits.STANDARD, 2);
  }

  /** A loop of forks, a script that kills all others, and one that ends the script around it. */
  @Test
  void hostileCommandsEnd() throws Exception {
    try (Workspace workspace = take()) {
      WorkspaceCommand forks =
          WorkspaceCommand.shell("f() { f | f & }; f; sleep 60", Duration.ofSeconds(2), 100);
      assertTrue(workspace.run(forks).status() != 0);
      assertEquals("after\n", sh(workspace, "echo after").output());
      CommandResult killed = sh(workspace, "(sleep 1; echo late > late) & kill -9 $PPID; sleep 30");
      assertEquals(137, killed.status());
      assertEquals("", sh(workspace, "sleep 2; ls late 2>/dev/null; true").output());
      assertEquals(137, sh(workspace, "kill -9 1; kill -9 -1; sleep 30").status());
      assertEquals("again\n", sh(workspace, "echo again").output());
      String many = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 60 & sleep 60 & sleep 60 & done";
      for (int i = 0; i < 6; i++) {
        // collected by the first process, or the limit of processes would be reached
        assertEquals(0, sh(workspace, many).status());
      }
    }
  }

  @Test
  void limitsHold() throws Exception {
    try (Workspace workspace = take()) {
      CommandResult memory = sh(workspace, "tail /dev/zero");
      assertEquals(Outcome.MEMORY, memory.outcome(), memory::toString);
      assertEquals(Outcome.EXITED, sh(workspace, "true").outcome());
      assertTrue(sh(workspace, "head -c 300000000 /dev/zero > big").status() != 0);
      assertTrue(sh(workspace, "echo > /dev/tcp/127.0.0.1/80").status() != 0);
      assertEquals("lo\n", sh(workspace, "ls /sys/class/net").output());
      String raise =
          "cd /sys/fs/cgroup; f=memory.max; [ -e $f ] || f=memory/memory.limit_in_bytes;"
              + " echo 2000000000 > $f";
      assertTrue(sh(workspace, raise).status() != 0);
    }
  }

  @Test
  void anInterruptEndsTheCommand() throws Exception {
    try (Workspace workspace = take()) {
      Thread caller = Thread.currentThread();
      Thread.ofVirtual()
          .start(
              () -> {
                await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
                caller.interrupt();
              });
      assertThrows(InterruptedException.class, () -> sh(workspace, "sleep 30; touch late"));
      assertEquals("", sh(workspace, "ls late 2>/dev/null; true").output());
    }
  }

  @Test
  void anImageThatIsMissingIsNamed() {
    try (WorkspacePool pool = open()) {
      WorkspaceTemplate template = new WorkspaceTemplate(null, "localhost/no-such-image:1", null);
      String message = assertThrows(UserException.class, () -> pool.take(template)).getMessage();
      assertTrue(message.contains("no-such-image"), message);
    }
  }

  @Test
  void nothingIsLeftOfAKilledJvm() throws Exception {
    Engine engine = options.engine();
    Process process =
        JavaProcess.of(
                Killed.class, List.of(), options.program(), String.join(" ", options.words()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("running", lines.readLine());
      assertEquals(1, containers(engine).size());
      process.destroyForcibly();
      await().atMost(Duration.ofSeconds(30)).until(() -> containers(engine).isEmpty());
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> containers(Engine engine) throws IOException {
    byte[] names = engine.call(List.of("ps", "--all", "--format", "{{.Names}}"));
    return FileList.text(names).lines().filter(name -> name.startsWith("roll-")).toList();
  }

  /** A JVM with a command that runs. */
  static final class Killed {
    private Killed() {}

    /** Runs a command in a workspace. */
    public static void main(String[] arguments) throws Exception {
      EngineOptions options =
          new EngineOptions(arguments[0], List.of(arguments[1].split(" ")), TestImage.NAME);
      try (WorkspacePool pool = new ContainerWorkspaces(options).open(WorkspaceLimits.STANDARD, 2);
          Workspace workspace = pool.take(new WorkspaceTemplate(null, null, null))) {
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    Thread.sleep(2000);
                    System.out.println("running");
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
        CommandResult unused =
            workspace.run(
                WorkspaceCommand.shell("sleep 600 & sleep 600", Duration.ofMinutes(10), 100));
      }
    }
  }
}
