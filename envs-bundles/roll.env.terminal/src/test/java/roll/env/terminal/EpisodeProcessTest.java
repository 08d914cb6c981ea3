package roll.env.terminal;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;

/** Tools, tests and rewards of episodes. */
@Tag("processes")
@NullMarked
class EpisodeProcessTest {
  private final Terminals terminals = new Terminals();

  @TempDir Path folder;

  @AfterEach
  void close() {
    terminals.close();
  }

  private Scenario task(String script) throws IOException {
    Terminals.write(folder, script);
    return terminals.task(folder, Map.of());
  }

  private Step graded(String script) throws IOException {
    try (Episode episode = task(script).reset(0)) {
      return episode.step("done");
    }
  }

  @Test
  void theShellTellsOutputAndStatus() throws Exception {
    try (Episode episode = task("true").reset(0)) {
      assertEquals("Do it.", episode.observation());
      assertEquals("/app\n[exit status 0]", Terminals.shell(episode, "pwd"));
      assertEquals("[exit status 0]", Terminals.shell(episode, "echo a > a.txt"));
      assertEquals("a\nb\n[exit status 3]", Terminals.shell(episode, "cat a.txt; echo b; exit 3"));
      assertEquals("b\n[exit status 0]", Terminals.shell(episode, "printf b"));
    }
  }

  @Test
  void longOutputLosesItsMiddle() throws Exception {
    Terminals.write(folder, "true");
    try (Episode episode = terminals.task(folder, Map.of("output_limit", 100)).reset(0)) {
      String said = Terminals.shell(episode, "seq 100000");
      assertTrue(said.startsWith("1\n2\n"), said);
      assertTrue(said.endsWith("\n100000\n[exit status 0]"), said);
      assertTrue(said.contains(" bytes omitted]"), said);
      assertTrue(said.length() < 200, said);
      Map<String, Object> path = Map.of("path", "long.txt");
      Terminals.shell(episode, "seq 1000 > long.txt");
      String read = episode.call("read_file", path).observation();
      assertTrue(read.endsWith("[3793 bytes omitted]"), read);
    }
  }

  @Test
  void aCommandThatTakesTooLongIsEnded() throws Exception {
    Terminals.write(folder, "true");
    try (Episode episode = terminals.task(folder, Map.of("command_timeout", 0.5)).reset(0)) {
      ToolResult result = episode.call("shell", Map.of("command", "echo a; sleep 600"));
      assertEquals(new ToolResult("a\n[ended after 0.5 s]", ToolResult.Status.ERROR), result);
      assertEquals("[exit status 0]", Terminals.shell(episode, "true"));
    }
  }

  @Test
  void filesAreReadWrittenAndEdited() throws Exception {
    try (Episode episode = task("true").reset(0)) {
      Map<String, Object> text = Map.of("path", "in/a.txt", "content", "one two\ntwo\n");
      assertEquals("written", episode.call("write_file", text).observation());
      assertEquals(
          "one two\ntwo\n",
          episode.call("read_file", Map.of("path", "/app/in/a.txt")).observation());
      assertEquals("replaced", edit(episode, "one", "1").observation());
      assertEquals(ToolResult.Status.ERROR, edit(episode, "three", "3").status());
      assertEquals(ToolResult.Status.ERROR, edit(episode, "", "3").status());
      assertEquals(
          "The text to replace occurs several times; give more of it.",
          edit(episode, "two", "2").observation());
      assertEquals("1 two\ntwo\n[exit status 0]", Terminals.shell(episode, "cat in/a.txt"));
      ToolResult missing = episode.call("read_file", Map.of("path", "b.txt"));
      assertEquals(ToolResult.Status.ERROR, missing.status());
      assertTrue(missing.observation().startsWith("b.txt: "), missing::toString);
      assertEquals(
          ToolResult.Status.ERROR,
          episode.call("read_file", Map.of("path", "/etc/passwd")).status());
    }
  }

  private static ToolResult edit(Episode episode, String old, String replacement)
      throws InterruptedException {
    return episode.call("edit_file", Map.of("path", "in/a.txt", "old", old, "new", replacement));
  }

  @Test
  void searchListsLines() throws Exception {
    try (Episode episode = task("true").reset(0)) {
      Terminals.shell(episode, "mkdir b; seq 12 > b/n.txt; echo 1x > a.txt");
      assertEquals(
          "a.txt:1:1x\nb/n.txt:1:1\nb/n.txt:10:10\nb/n.txt:11:11\nb/n.txt:12:12",
          search(episode, Map.of("pattern", "^1")));
      assertEquals("b/n.txt:7:7", search(episode, Map.of("pattern", "7|x", "path", "b")));
      assertEquals("no match", search(episode, Map.of("pattern", "--help")));
      assertEquals("no match", search(episode, Map.of("pattern", "$(touch made)")));
      assertTrue(search(episode, Map.of("pattern", "(")).contains("grep"));
      assertEquals("[exit status 1]", Terminals.shell(episode, "ls made 2> /dev/null || exit 1"));
    }
  }

  private static String search(Episode episode, Map<String, Object> arguments)
      throws InterruptedException {
    return episode.call("search", arguments).observation();
  }

  @Test
  void theToolsAreNamed() throws Exception {
    assertEquals(
        List.of("shell", "read_file", "write_file", "edit_file", "search"),
        task("true").tools().stream().map(ToolSchema::name).toList());
  }

  @Test
  void theTestsGiveTheReward() throws Exception {
    assertEquals(1, graded("exit 0").reward());
    assertEquals(0, graded("exit 1").reward());
    Step half = graded("echo 0.5 > /logs/verifier/reward.txt; exit 1");
    assertEquals(0.5, half.reward());
    assertEquals(Map.of("success", 0.0, "verifier_failed", 0.0), half.metrics());
    assertTrue(half.terminated());
    Step parts = graded("echo '{\"a\": true, \"b\": false}' > /logs/verifier/reward.json");
    assertEquals(0.5, parts.reward());
    assertEquals(1.0, parts.metrics().get("verifier/a"));
    assertEquals(-2, graded("echo -2 > /logs/verifier/reward.txt").reward());
  }

  @Test
  void theTestsSeeTheWorkAndTheirOwnFiles() throws Exception {
    Terminals.write(
        folder,
        """
        set -e
        cmp a.txt /tests/expected.txt
        [ "$KEY" = value ] && [ "$A" = 1 ] && [ "$PWD" = /app ]
        [ "$(sh "/tests/more/other.sh")" = "$(dirname "$0")/expected.txt" ]
        """);
    Terminals.file(folder, "tests/expected.txt", "work\n");
    Terminals.file(folder, "tests/more/other.sh", "echo '/tests/expected.txt'");
    Terminals.file(folder, "task.toml", "[verifier]\nenv = {KEY = \"value\"}\n");
    Terminals.file(folder, "environment/Dockerfile", "FROM ubuntu\nWORKDIR /app\nENV A=1\n");
    try (Episode episode = terminals.task(folder, Map.of()).reset(0)) {
      assertEquals(
          "1\n[exit status 0]", Terminals.shell(episode, "echo $A $KEY; echo work > a.txt"));
      assertEquals("[exit status 0]", Terminals.shell(episode, "! ls /tests 2> /dev/null"));
      assertEquals(1, episode.step("").reward());
    }
  }

  @Test
  void theTimeOfATaskIsLimited() throws Exception {
    Terminals.write(folder, "sleep 600");
    Terminals.file(
        folder, "task.toml", "[agent]\ntimeout_sec = 0.1\n[verifier]\ntimeout_sec = 0.5\n");
    try (Episode episode = terminals.task(folder, Map.of()).reset(0)) {
      assertEquals("[exit status 0]", Terminals.shell(episode, "sleep 0.2"));
      assertEquals("The time limit of the task is used up.", Terminals.shell(episode, "sleep 0.2"));
      Step step = episode.step("done");
      assertEquals(0, step.reward());
      assertEquals(1.0, step.metrics().get("verifier_failed"));
    }
  }

  /** The workspace ends with the command that was interrupted. */
  @Test
  void aCallThatWasGivenUpCostsTheReward() throws Exception {
    try (Episode episode = task("true").reset(0)) {
      Thread call =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Terminals.shell(episode, "touch begun; sleep 600");
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      await().until(() -> call.getState() == Thread.State.WAITING);
      call.interrupt();
      assertTrue(Terminals.shell(episode, "true").startsWith("The workspace is lost"));
      assertEquals(1.0, episode.step("done").metrics().get("verifier_failed"));
    }
  }

  @Test
  void validationPlaysItsTasksInOrder() throws Exception {
    for (String name : List.of("b", "a", "c")) {
      Terminals.write(folder.resolve("val/" + name), "true");
      Terminals.file(folder, "val/" + name + "/instruction.md", name);
    }
    Terminals.write(folder.resolve("train"), "true");
    Scenario scenario =
        terminals.scenario(Map.of("train_tasks", folder + "/train", "val_tasks", folder + "/val"));
    StringBuilder played = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      try (Episode episode = scenario.reset(new EpisodeStart("val", 1, i, i, 4, 0))) {
        played.append(episode.observation());
      }
    }
    assertEquals("abca", played.toString());
    try (Episode episode = scenario.reset(0)) {
      assertEquals("Do it.", episode.observation());
    }
    assertEquals(4, scenario.tasks().count());
  }

  @Test
  void wrongOptionsAreRefused() throws Exception {
    assertEquals(
        "env_config.train_tasks is missing (or generate)",
        userError(() -> terminals.scenario(Map.of())));
    assertEquals(
        "env_config.generate: expected edit, find, mend, test, found 'mends'",
        userError(() -> terminals.scenario(Map.of("generate", "mends"))));
    assertTrue(
        userError(() -> terminals.task(folder.resolve("none"), Map.of()))
            .startsWith("env_config.train_tasks: expected folders that exist, found "));
    assertTrue(
        userError(() -> terminals.task(folder, Map.of()))
            .startsWith("env_config.train_tasks: expected folders with task.toml"));
    Terminals.write(folder, "true");
    assertTrue(
        userError(() -> terminals.task(folder, Map.of("generate", "edit")))
            .startsWith("env_config.generate: expected nothing beside task folders"));
    assertTrue(
        userError(() -> terminals.task(folder, Map.of("workspace", "moon")))
            .startsWith("env_config.workspace: "));
    assertEquals(0, terminals.plugins.leased());
  }

  @Test
  void anotherEpisodeBeginsWithTheTemplate() throws Exception {
    Terminals.write(folder, "true");
    Terminals.file(folder, "environment/Dockerfile", "FROM ubuntu\nWORKDIR /app\nCOPY start ./\n");
    Terminals.file(folder, "environment/start/a.txt", "a");
    Scenario scenario = terminals.task(folder, Map.of());
    try (Episode first = scenario.reset(0);
        Episode second = scenario.reset(1)) {
      Terminals.shell(first, "echo b > a.txt; rm -rf ..");
      assertEquals("a\n[exit status 0]", Terminals.shell(second, "cat a.txt"));
    }
    assertEquals("a", Files.readString(folder.resolve("environment/start/a.txt")));
    assertFalse(Files.exists(folder.resolve("environment/start/b.txt")));
  }
}
