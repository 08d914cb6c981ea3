package roll.env.frozen_lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.env.Environment;
import roll.api.env.Step;
import roll.testkit.TestOptions;

/** Every move on Gymnasium's 4×4 map, against the published rule's transition table. */
class FrozenLakeTransitionsTest {
  private static final String[] NAMES = {"Left", "Down", "Right", "Up"};
  private static final int SEEDS = 1_500;

  @Test
  void withoutSlippingEveryMoveIsThatOfTheTable() throws IOException {
    JsonObject table = table("frozenlake-4x4-deterministic.json");
    FrozenLakeScenario scenario = scenario(false);
    for (int state = 0; state < 16; state++) {
      for (int action = 0; onIce(table, state) && action < 4; action++) {
        JsonArray only = outcomes(table, state, action).get(0).getAsJsonArray();
        LakeMap map = map(table, state);
        FrozenLakeEpisode episode =
            new FrozenLakeEpisode(scenario, map, RandomStreams.of(0, "test"));
        Step step = episode.step("<answer>" + NAMES[action] + "</answer>");
        assertEquals(only.get(2).getAsDouble(), step.reward());
        assertEquals(only.get(3).getAsBoolean(), step.terminated());
        assertEquals(scenario.symbols().text(map, only.get(1).getAsInt()), step.observation());
      }
    }
  }

  @Test
  void onSlipperyIceEveryOutcomeHasItsShare() throws IOException {
    JsonObject table = table("frozenlake-4x4-slippery.json");
    FrozenLakeScenario scenario = scenario(true);
    for (int state = 0; state < 16; state++) {
      for (int action = 0; onIce(table, state) && action < 4; action++) {
        LakeMap map = map(table, state);
        Map<String, Double> expected = new TreeMap<>();
        for (JsonElement outcome : outcomes(table, state, action)) {
          JsonArray row = outcome.getAsJsonArray();
          String text =
              outcome(
                  scenario.symbols().text(map, row.get(1).getAsInt()),
                  row.get(2).getAsDouble(),
                  row.get(3).getAsBoolean());
          expected.merge(text, row.get(0).getAsDouble(), Double::sum);
        }
        Map<String, Double> found = new TreeMap<>();
        for (int seed = 0; seed < SEEDS; seed++) {
          var episode =
              new FrozenLakeEpisode(scenario, map, RandomStreams.of(seed, "test", state, action));
          Step step = episode.step("<answer>" + NAMES[action] + "</answer>");
          found.merge(
              outcome(step.observation(), step.reward(), step.terminated()),
              1.0 / SEEDS,
              Double::sum);
        }
        assertEquals(expected.keySet(), found.keySet());
        // five standard deviations of a share of a third
        double error = 5 * Math.sqrt(2.0 / 9 / SEEDS);
        found.forEach(
            (text, share) ->
                assertEquals(expected.getOrDefault(text, 0.0), share, error, () -> text));
      }
    }
  }

  private static String outcome(String observation, double reward, boolean terminated) {
    return observation + " " + reward + " " + terminated;
  }

  private static FrozenLakeScenario scenario(boolean slippery) {
    Environment environment = new FrozenLakeEnvironment();
    return new FrozenLakeScenario(
        TestOptions.of("env_config", Map.of("is_slippery", slippery), environment.options()));
  }

  private static LakeMap map(JsonObject table, int start) {
    boolean[] holes = new boolean[16];
    for (int cell = 0; cell < 16; cell++) {
      holes[cell] = letter(table, cell) == 'H';
    }
    assertEquals('G', letter(table, 15));
    return new LakeMap(4, holes, start, 15);
  }

  private static boolean onIce(JsonObject table, int cell) {
    return letter(table, cell) == 'F' || letter(table, cell) == 'S';
  }

  private static char letter(JsonObject table, int cell) {
    return table.getAsJsonArray("desc").get(cell / 4).getAsString().charAt(cell % 4);
  }

  private static JsonArray outcomes(JsonObject table, int state, int action) {
    JsonArray outcomes =
        table.getAsJsonArray("P").get(state).getAsJsonArray().get(action).getAsJsonArray();
    assertTrue(outcomes.size() > 0);
    return outcomes;
  }

  private static JsonObject table(String name) throws IOException {
    Path file = Path.of(System.getProperty("roll.root"), "../shared/data/frozenlake", name);
    assumeTrue(Files.exists(file), () -> "skipped, there is no " + file.normalize());
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }
}
