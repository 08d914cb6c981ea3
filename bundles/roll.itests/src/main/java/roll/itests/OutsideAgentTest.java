package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of {@code docs/outside-agents.md} plays, and calls the run's calculator. */
@Tag("framework")
@Timeout(300)
class OutsideAgentTest {
  private static final String PYTHON = "/usr/bin/python3";
  private static final int EPISODES = 8;

  @TempDir Path folder = Path.of("");

  @Test
  void aProcessForEachEpisode() throws Exception {
    plays(0);
  }

  @Test
  void oneProcessForAll() throws Exception {
    plays(1);
  }

  private void plays(int processes) throws Exception {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "no " + PYTHON);
    String program = "custom_envs.Arithmetic.agent_runner";
    CommandsTest.run(
        "roll:rollout '%s' --agent scripted --episodes %d output_dir='%s' exp_name=played '%s.command=[%s, \"%s\"]' %s.processes=%d custom_envs.Arithmetic.env_config.train_files=data/arithmetic-demos.jsonl"
            .formatted(
                SmallRuns.config("arithmetic_outside.yaml"),
                EPISODES,
                folder,
                program,
                PYTHON,
                SmallRuns.config("agents/arithmetic.py"),
                program,
                processes));
    List<String> lines = Files.readAllLines(folder.resolve("played/trajectories/step-0.jsonl"));
    assertEquals(EPISODES, lines.size());
    for (String line : lines) {
      JsonObject played = JsonParser.parseString(line).getAsJsonObject();
      assertEquals(
          List.of("user", "assistant", "tool", "assistant"),
          StreamSupport.stream(played.getAsJsonArray("messages").spliterator(), false)
              .map(JsonElement::getAsJsonObject)
              .map(message -> message.get("role").getAsString())
              .toList());
      JsonObject metrics = played.getAsJsonObject("metrics");
      assertEquals(1, metrics.get("reward/math_equal_reward_tool").getAsDouble(), line);
      assertEquals(1, metrics.get("branches").getAsDouble(), line);
      assertEquals(2, metrics.get("num_actions").getAsDouble(), line);
    }
  }
}
