package roll.workspace.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.workspace.CommandResult;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceTemplate;
import roll.testkit.EscapeTargets;

/**
 * Commands that harm. The first line of each has its intention and a pattern of its outcome, status
 * and output. Each costs at most its episode: files, servers and processes of this machine are
 * untouched, and the workspace runs the next command.
 */
@Tag("hostile")
@Timeout(120)
class AttackTest {
  private static final Path ATTACKS = Path.of("src/test/resources/attacks.sh");
  private static final String SECRET = "a key without read permission";
  private static LocalWorkspaces provider;
  private static WorkspacePool pool;
  @TempDir private Path template;
  private EscapeTargets target;

  /** A command that harms. */
  record Attack(String what, Pattern end, String script) {
    @Override
    public String toString() {
      return what;
    }
  }

  @BeforeAll
  static void open() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "skipped: no /usr/bin/python3");
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "skipped: calls of x86_64");
    provider = new LocalWorkspaces();
    pool = provider.open(WorkspaceLimits.STANDARD, 4);
  }

  @AfterAll
  static void close() {
    if (provider != null) {
      provider.close();
    }
  }

  @BeforeEach
  void begin(@TempDir Path folder) throws IOException {
    target = EscapeTargets.in(folder, SECRET);
    Files.writeString(template.resolve("readme"), "of the template\n");
  }

  @AfterEach
  void end() throws IOException {
    target.close();
  }

  @ParameterizedTest
  @org.junit.jupiter.api.parallel.Execution(ExecutionMode.CONCURRENT)
  @MethodSource("attacks")
  void costsItsEpisode(Attack attack) throws Exception {
    try (Workspace workspace = pool.take(new WorkspaceTemplate(template, null, null))) {
      boolean endless = attack.end().pattern().contains("TIMEOUT");
      Duration time = Duration.ofSeconds(endless ? 3 : 60);
      String script = target.filled(attack.script());
      CommandResult result = workspace.run(WorkspaceCommand.shell(script, time, 2000));
      String end = result.outcome() + " " + result.status() + " " + result.output();
      assertTrue(attack.end().matcher(end).matches(), end);
      assertFalse(result.output().contains(SECRET), end);
      CommandResult next =
          workspace.run(WorkspaceCommand.shell("echo alive", Duration.ofMinutes(1), 100));
      assertEquals("alive\n", next.output());
      differs(workspace);
    }
    target.assertUntouched();
    assertEquals("of the template\n", Files.readString(template.resolve("readme")));
    try (Workspace workspace = pool.take(new WorkspaceTemplate(template, null, null))) {
      assertEquals(List.of(), workspace.diff());
    }
  }

  /** The difference is found, or a path is too long for it. */
  private static void differs(Workspace workspace) {
    try {
      assertTrue(workspace.diff().stream().noneMatch(change -> change.path().isEmpty()));
    } catch (IOException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("name too long"), e::toString);
    }
  }

  static List<Attack> attacks() throws IOException {
    List<Attack> attacks = new ArrayList<>();
    for (String block : Files.readString(ATTACKS).split("(?m)^#: ", -1)) {
      if (!block.isBlank()) {
        String[] head = block.lines().findFirst().orElseThrow().split(" \\| ", 2);
        attacks.add(new Attack(head[0], Pattern.compile(head[1], Pattern.DOTALL), "#: " + block));
      }
    }
    assertTrue(attacks.size() >= 60, () -> String.valueOf(attacks.size()));
    return attacks;
  }
}
