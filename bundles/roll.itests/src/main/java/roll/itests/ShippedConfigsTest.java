package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.RunConfig;

/**
 * The expert wins in every shipped configuration, within the limits of turns, response and sequence
 * length, with tokens in the model's vocabulary.
 */
@Tag("framework")
@Timeout(120)
class ShippedConfigsTest {
  private static final int EPISODES = 64;

  @TempDir Path folder = Path.of("");

  /**
   * The minimum number of won episodes. In the web shop the expert of the demonstrations sees no
   * more than a model and does not always buy the right product; about one Sokoban room in a
   * hundred needs more than ROLL's ten moves, and the largest of three sizes in its curriculum
   * usually more than it allows.
   */
  @ParameterizedTest
  @CsvSource({
    "webshop, --val, success, 64",
    "webshop_instruct, --val, success, 64",
    "webshop_demos, '', purchased, 64",
    "click_and_read, --val, success, 64",
    "click_and_read_instruct, --val, success, 64",
    "frozen_lake, --val, success, 64",
    "sokoban, --val, success, 61",
    "sokoban_curriculum, --val, success, 56",
    "terminal, --val, success, 64",
    "arithmetic_demos, '', reward/math_equal_reward_tool, 64"
  })
  void theExpertWins(String name, String which, String metric, int least) throws Exception {
    Path file = SmallRuns.config(name + ".yaml");
    CommandsTest.run(
        "roll:rollout '%s' --agent scripted %s --episodes %d output_dir='%s' exp_name=played"
            .formatted(file, which, EPISODES, folder));
    RunConfig run =
        SmallRuns.service(ConfigLoader.class)
            .loadForRollout(file, List.of("output_dir=" + folder))
            .run();
    EnvManagerConfig manager =
        which.isEmpty() ? run.rollout().trainEnvs() : run.rollout().valEnvs();
    OptionalInt unknown = unknown(run.roles().pretrain());
    int won = 0;
    int played = 0;
    for (String line : Files.readAllLines(folder.resolve("played/trajectories/step-0.jsonl"))) {
      JsonObject trajectory = JsonParser.parseString(line).getAsJsonObject();
      played++;
      won += trajectory.getAsJsonObject("metrics").get(metric).getAsDouble() >= 1 ? 1 : 0;
      for (JsonElement sequence : trajectory.getAsJsonArray("sequences")) {
        Map<Integer, Integer> written = responses(sequence.getAsJsonObject());
        JsonArray ids = sequence.getAsJsonObject().getAsJsonArray("tokens");
        unknown.ifPresent(
            token -> assertFalse(ids.contains(new JsonPrimitive(token)), "no word for: " + line));
        int length = ids.size();
        assertTrue(length <= run.sequenceLength(), () -> length + " tokens: " + line);
        written.forEach(
            (turn, tokens) ->
                assertTrue(
                    tokens <= manager.sampling().maxNewTokens(),
                    () -> "turn " + turn + " has " + tokens + " tokens: " + line));
      }
    }
    assertEquals(EPISODES, played);
    assertTrue(won >= least, won + " of " + played);
  }

  /** Returns the tokenizer's token for unknown text; empty if it needs none. */
  private static OptionalInt unknown(Path pretrain) throws IOException {
    JsonObject model =
        JsonParser.parseString(Files.readString(pretrain.resolve("tokenizer.json")))
            .getAsJsonObject()
            .getAsJsonObject("model");
    JsonElement token = model.get("unk_token");
    return token == null || token.isJsonNull()
        ? OptionalInt.empty()
        : OptionalInt.of(model.getAsJsonObject("vocab").get(token.getAsString()).getAsInt());
  }

  /** Returns the tokens of each turn's response without its stop token. */
  private static Map<Integer, Integer> responses(JsonObject sequence) {
    Map<Integer, Integer> written = new TreeMap<>();
    for (JsonElement turn : sequence.getAsJsonArray("turns")) {
      if (turn.getAsInt() >= 0) {
        written.merge(turn.getAsInt(), 1, Integer::sum);
      }
    }
    written.replaceAll((turn, tokens) -> tokens - 1);
    return written;
  }
}
