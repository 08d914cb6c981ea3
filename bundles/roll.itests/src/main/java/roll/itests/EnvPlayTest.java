package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.api.option.UserException;
import roll.runtime.option.YamlOptions;

/** {@code env play} and the agent human at a terminal with piped input. */
@Tag("framework")
@Timeout(60)
class EnvPlayTest {
  /** Every shipped environment accepts the expert's actions as input. */
  @TestFactory
  Stream<DynamicTest> everyStockEnvironmentCanBePlayed() throws Exception {
    Map<String, Map<String, Object>> worlds = new TreeMap<>();
    worlds.put("frozen_lake", Map.of("is_slippery", false));
    worlds.put("sokoban", Map.of("dim_room", List.of(6, 6), "max_steps", 100));
    worlds.put("webshop", Map.of());
    worlds.put("click_and_read", Map.of());
    return worlds.entrySet().stream()
        .map(world -> DynamicTest.dynamicTest(world.getKey(), () -> play(world)));
  }

  private static void play(Map.Entry<String, Map<String, Object>> world) throws Exception {
    List<String> typed = expert(world.getKey(), world.getValue(), 12);
    StringBuilder words = new StringBuilder();
    world.getValue().forEach((key, value) -> words.append(" '" + key + "=" + value + "'"));
    String program = "roll:env play " + world.getKey() + " seed=12" + words;
    String printed = CommandsTest.run(program, "hint\n" + String.join("\n", typed) + "\n");
    assertTrue(printed.contains("\nhint: " + typed.getFirst()), printed);
    String end = "success after " + typed.size() + (typed.size() == 1 ? " turn" : " turns");
    assertTrue(printed.contains(end), printed);
    String left = CommandsTest.run(program, typed.getFirst() + "\n");
    assertTrue(typed.size() == 1 || left.contains("\nquit after 1 turn, score "), left);
    String wrong = CommandsTest.run(program, "fly away\n");
    assertTrue(wrong.contains("\n'fly away' is not an action"), wrong);
  }

  private static List<String> expert(String id, Map<String, Object> options, long seed)
      throws Exception {
    Environment world = SmallRuns.service(Environment.class, "(roll.env=" + id + ")");
    List<String> typed = new ArrayList<>();
    try (Episode episode =
        world.configure(YamlOptions.checked("env_config", options, world.options())).reset(seed)) {
      Step step = null;
      while (step == null || !step.done()) {
        typed.add(episode.expert().orElseThrow());
        step = episode.step(episode.respond(typed.getLast()));
      }
    }
    return typed;
  }

  @Test
  void aPersonPlaysARolloutAndWhatWasPlayedIsSaved(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("lake.yaml"),
            "custom_envs: {Lake: {env_type: frozen_lake, max_steps: 2}}");
    String program = "roll:rollout '%s' output_dir='%s' exp_name=%s --agent human --episodes 3";
    String printed = CommandsTest.run(program.formatted(file, folder, "all"), "Up\nUp\n".repeat(3));
    assertTrue(printed.contains("\n3 episodes, "), printed);
    String early =
        CommandsTest.run(program.formatted(file, folder, "early"), "Up\nUp\nDown\nquit\n");
    assertTrue(early.contains("stopped early, saved in "), early);
    int lines = Files.readAllLines(folder.resolve("early/trajectories/step-0.jsonl")).size();
    assertTrue(lines == 1 || lines == 2, early); // a first step may end in a hole
    UserException e =
        assertThrows(
            UserException.class,
            () -> {
              String human = "val_env_manager.llm_proxy.proxy_type=human";
              CommandsTest.run(
                  "roll:check '" + SmallRuns.config("frozen_lake.yaml") + "' " + human);
            });
    assertEquals(
        "val_env_manager.llm_proxy.proxy_type: 'human' is a person, who plays with roll:rollout"
            + " only",
        e.getMessage());
  }
}
