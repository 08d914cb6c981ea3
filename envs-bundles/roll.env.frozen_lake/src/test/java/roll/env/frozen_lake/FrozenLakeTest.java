package roll.env.frozen_lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Options;
import roll.testkit.TestOptions;

class FrozenLakeTest {
  /**
   * The map
   *
   * <pre>
   *   P O
   *   _ G
   * </pre>
   */
  private static final LakeMap SMALL =
      new LakeMap(2, new boolean[] {false, true, false, false}, 0, 3);

  @Test
  void rewardsAreThoseOfRoll() {
    Episode episode = small(Map.of("format_penalty", -0.01));
    assertEquals("PO\n_G", episode.observation());
    check(episode.step("I do not know"), "PO\n_G", -0.01, false, metrics(0, 0, 0, -0.01));
    check(episode.step("<answer>left</answer>"), "PO\n_G", 0, false, metrics(0, 1, 0, 0));
    check(episode.step("<answer>Down</answer>"), "_O\nPG", 0, false, metrics(1, 1, 0, 0));
    check(episode.step("<answer>Right</answer>"), "_O\n_√", 1, true, metrics(1, 1, 1, 0));
    assertEquals(List.of(), episode.actions());
    assertThrows(IllegalStateException.class, () -> episode.step("<answer>Up</answer>"));
  }

  @Test
  void aHoleEndsTheEpisodeWithoutReward() {
    check(small(Map.of()).step("<answer>Right</answer>"), "_X\n_G", 0, true, metrics(1, 1, 0, 0));
  }

  @Test
  void theExpertTakesAShortestWay() {
    Scenario scenario = scenario(Map.of("is_slippery", false, "size", 5));
    for (long seed = 0; seed < 200; seed++) {
      try (Episode episode = scenario.reset(seed)) {
        int turns = 0;
        Step last = null;
        while (last == null || !last.done()) {
          last = episode.step(episode.respond(episode.expert().orElseThrow()));
          turns++;
        }
        assertEquals(1, last.reward());
        assertTrue(turns < 25);
        assertTrue(episode.expert().isEmpty());
      }
    }
    assertEquals("Down", small(Map.of()).expert().orElseThrow());
  }

  @Test
  void maxStepsCutsTheEpisode() {
    Episode episode = small(Map.of("max_steps", 2));
    assertFalse(episode.step("").done());
    Step last = episode.step("");
    assertTrue(last.truncated());
    assertFalse(last.terminated());
    Episode arrives = small(Map.of("max_steps", 2));
    arrives.step("<answer>Down</answer>");
    Step goal = arrives.step("<answer>Right</answer>");
    assertTrue(goal.terminated());
    assertFalse(goal.truncated());
  }

  @Test
  void everyMapHasAWayFromStartToGoal() {
    Set<String> different = new HashSet<>();
    double holes = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      LakeMap map = LakeMap.random(4, 0.8, RandomStreams.of(seed, "test"));
      assertNotEquals(map.start(), map.goal());
      assertTrue(reaches(map, map.start(), new HashSet<>()), () -> "no way on " + map);
      different.add(scenario(Map.of()).symbols().text(map, map.start()));
      for (boolean hole : map.holes()) {
        holes += hole ? 1 : 0;
      }
    }
    assertTrue(different.size() > 950, () -> "only " + different.size() + " different maps");
    // 14 of 16 cells are drawn, a fifth of them as holes; solvable maps have somewhat fewer
    assertEquals(0.16, holes / 16_000, 0.02);
  }

  @Test
  void extremeLakesAreFound() {
    for (double frozen : new double[] {0, 1}) {
      LakeMap map = LakeMap.random(10, frozen, RandomStreams.of(1, "test"));
      assertTrue(reaches(map, map.start(), new HashSet<>()));
    }
  }

  @Test
  void theMapIsAFunctionOfTheSeed() {
    assertEquals(start(Map.of(), 7), start(Map.of(), 7));
    assertNotEquals(start(Map.of(), 7), start(Map.of(), 8));
    assertEquals(start(Map.of("map_seed", 3), 7), start(Map.of("map_seed", 3), 8));
    assertEquals(start(Map.of(), 3), start(Map.of("map_seed", 3), 8));
  }

  @Test
  void tellsTaskSymbolsAndActions() {
    assertEquals(
        """
        Walk!
        The meaning of each symbol in the state is:
        P: player, _: empty, O: hole, G: goal, X: player in hole, √: player on goal
        Your available actions are:
        Left, Down, Right, Up\
        """,
        scenario(Map.of("env_instruction", "Walk!")).instruction());
    assertEquals("", scenario(Map.of("env_instruction", "")).instruction());
  }

  @Test
  void symbolsAndActionsCanBeChosen() {
    Map<String, Object> config =
        Map.of(
            "grid_lookup", Map.of(0, "A", 1, ".", 2, "#", 3, "*", 4, "x", 5, "!"),
            "grid_vocab",
                Map.of("A", "you", ".", "ice", "#", "hole", "*", "goal", "x", "lost", "!", "won"),
            "action_lookup", Map.of(0, "West", 1, "South", 2, "East", 3, "North"),
            "action_pattern", "^(.*)$");
    Episode episode = small(config);
    assertEquals("A#\n.*", episode.observation());
    assertEquals(List.of("West", "South", "East", "North"), episode.actions());
    assertEquals("South", episode.respond("South"));
    assertEquals(".#\nA*", episode.step("south").observation());
    assertEquals("<answer>Up</answer>", small(Map.of()).respond("Up"));
  }

  @Test
  void thePictureShowsThePlayer() {
    BufferedImage start = LakePicture.forPeople(SMALL, 0);
    assertEquals(128, start.getWidth());
    assertEquals(
        256,
        new FrozenLakeEnvironment()
            .configure(options(Map.of()))
            .reset(1)
            .render()
            .orElseThrow()
            .getHeight());
    for (int cell = 1; cell < 4; cell++) {
      BufferedImage moved = LakePicture.forPeople(SMALL, cell);
      assertNotEquals(hash(start, 0), hash(moved, 0));
      assertNotEquals(hash(start, cell), hash(moved, cell));
    }
  }

  static List<Object[]> wrongOptions() {
    return List.of(
        new Object[] {"size", 1, "env_config.size: expected an integer from 2 to 100, found '1'"},
        new Object[] {"p", 1.5, "env_config.p: expected a number from 0 to 1, found '1.5'"},
        new Object[] {"max_steps", 0, "env_config.max_steps: expected an integer of at least 1,"},
        new Object[] {
          "render_mode",
          "rgb",
          "env_config.render_mode: expected one of text, rgb_array, found 'rgb'"
        },
        new Object[] {
          "action_lookup", Map.of(0, "Left"), "env_config.action_lookup: expected distinct names"
        },
        new Object[] {
          "action_lookup",
          Map.of(0, "a", 1, "A", 2, "b", 3, "c"),
          "env_config.action_lookup: expected distinct names"
        },
        new Object[] {"grid_lookup", Map.of(0, "P"), "env_config.map_lookup: expected numbers of"},
        new Object[] {"map_lookup", Map.of("P", 0), "env_config.map_lookup: expected numbers of"},
        new Object[] {
          "grid_vocab", Map.of("P", "player"), "env_config.grid_vocab: expected a meaning"
        },
        new Object[] {"is_slipery", false, "env_config: unknown key 'is_slipery'"});
  }

  @ParameterizedTest
  @MethodSource("wrongOptions")
  void wrongOptionsAreRefusedInOneLine(String name, Object value, String message) {
    String found = userError(() -> scenario(Map.of(name, value)));
    assertTrue(found.startsWith(message), found);
    assertFalse(found.contains("\n"), found);
  }

  @Test
  void metricsAreAggregatedAsInRoll() {
    assertEquals(
        Map.of(
            "action_is_effective", Scenario.Aggregation.MEAN,
            "action_is_valid", Scenario.Aggregation.MEAN,
            "success", Scenario.Aggregation.LAST,
            "format_penalty", Scenario.Aggregation.MEAN),
        scenario(Map.of()).aggregations());
  }

  private static boolean reaches(LakeMap map, int cell, Set<Integer> seen) {
    if (map.holes()[cell] || !seen.add(cell)) {
      return false;
    }
    int row = cell / map.size();
    int column = cell % map.size();
    return cell == map.goal()
        || (row > 0 && reaches(map, cell - map.size(), seen))
        || (row + 1 < map.size() && reaches(map, cell + map.size(), seen))
        || (column > 0 && reaches(map, cell - 1, seen))
        || (column + 1 < map.size() && reaches(map, cell + 1, seen));
  }

  private static int hash(BufferedImage image, int cell) {
    return Arrays.hashCode(image.getRGB(cell % 2 * 64, cell / 2 * 64, 64, 64, null, 0, 64));
  }

  private static String start(Map<String, @Nullable Object> config, long seed) {
    return scenario(config).reset(seed).observation();
  }

  private static Episode small(Map<String, @Nullable Object> config) {
    Map<String, @Nullable Object> all = new HashMap<>(config);
    all.put("is_slippery", false);
    return new FrozenLakeEpisode(scenario(all), SMALL, RandomStreams.of(0, "test"));
  }

  private static FrozenLakeScenario scenario(Map<String, @Nullable Object> config) {
    return new FrozenLakeScenario(options(config));
  }

  private static Options options(Map<String, @Nullable Object> config) {
    return TestOptions.of("env_config", config, new FrozenLakeEnvironment().options());
  }

  private static Map<String, Double> metrics(
      double effective, double valid, double success, double penalty) {
    return Map.of(
        "action_is_effective", effective,
        "action_is_valid", valid,
        "success", success,
        "format_penalty", penalty);
  }

  private static void check(
      Step step,
      String observation,
      double reward,
      boolean terminated,
      Map<String, Double> metrics) {
    assertEquals(new Step(observation, reward, terminated, false, metrics), step);
  }
}
