package roll.env.sokoban;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Options;
import roll.testkit.TestOptions;

class SokobanTest {
  private static final String[] CORRIDOR = {"######", "#@$ .#", "######"};

  @Test
  void rewardsAreThoseOfRoll() {
    Episode episode = Rooms.episode(Map.of(), "#######", "#  $ .#", "#@    #", "#######");
    check(episode.step("<answer>Up</answer>"), -0.1, true, true);
    check(episode.step("<answer>Right</answer>"), -0.1, true, true);
    check(episode.step("<answer>Right</answer>"), -0.1, true, true);
    Step last = episode.step("<answer>Right</answer>");
    assertEquals(10.9, last.reward(), 1e-12);
    assertTrue(last.terminated());
    assertEquals(1.0, last.metrics().get("success"));
    assertEquals("#######\n#___P√#\n#_____#\n#######", last.observation());
    assertEquals(List.of(), episode.actions());
    assertThrows(IllegalStateException.class, () -> episode.step("<answer>Up</answer>"));
  }

  /**
   * −.1 per step, 1 for a box on a target and 10 for all of them, as in {@code
   * mpSchrader/gym-sokoban:gym_sokoban/envs/sokoban_env.py}.
   */
  @Test
  void theThirdStepSolves() {
    Episode episode = Rooms.episode(Map.of(), "######", "# $.##", "#@####", "######");
    assertEquals(-0.1, episode.step("<answer>Down</answer>").reward(), 1e-12);
    assertEquals(-0.1, episode.step("<answer>Up</answer>").reward(), 1e-12);
    assertEquals(10.9, episode.step("<answer>Right</answer>").reward(), 1e-12);
  }

  @Test
  void anInvalidResponseCostsItsStep() {
    Episode episode = Rooms.episode(Map.of("format_penalty", -0.15, "max_steps", 2), CORRIDOR);
    Step invalid = episode.step("to the right");
    assertEquals(-0.25, invalid.reward(), 1e-12);
    assertEquals(
        Map.of(
            "action_is_effective", 0.0,
            "action_is_valid", 0.0,
            "success", 0.0,
            "format_penalty", -0.15),
        invalid.metrics());
    Step blocked = episode.step("<answer>Up</answer>");
    check(blocked, -0.1, false, true);
    assertTrue(blocked.truncated() && !blocked.terminated());
  }

  @Test
  void takingABoxOffItsTargetCosts() {
    Episode episode = Rooms.episode(Map.of(), "########", "#@*  $.#", "########");
    check(episode.step("<answer>Right</answer>"), -1.1, true, true);
    assertEquals("########\n#_SX_XO#\n########", episode.observation());
    episode.step("<answer>Right</answer>");
    check(episode.step("<answer>Right</answer>"), -0.1, false, true); // two boxes in a row
  }

  @Test
  void theLastStepMaySolve() {
    Episode episode = Rooms.episode(Map.of("max_steps", 2), CORRIDOR);
    episode.step("<answer>Right</answer>");
    Step last = episode.step("<answer>Right</answer>");
    assertTrue(last.terminated() && !last.truncated());
  }

  @Test
  void symbolsAndActionsCanBeChosen() {
    Episode episode =
        Rooms.episode(
            Map.of(
                "grid_lookup", Map.of(0, "W", 1, ".", 2, "G", 3, "C", 4, "B", 5, "A", 6, "@"),
                "grid_vocab",
                    Map.of(
                        "W",
                        "wall",
                        ".",
                        "empty",
                        "G",
                        "target",
                        "C",
                        "done",
                        "B",
                        "box",
                        "A",
                        "you",
                        "@",
                        "you there"),
                "action_lookup", Map.of(1, "North", 2, "South", 3, "West", 4, "East"),
                "action_pattern", "^(.*)$"),
            CORRIDOR);
    assertEquals("WWWWWW\nWAB.GW\nWWWWWW", episode.observation());
    assertEquals(List.of("North", "South", "West", "East"), episode.actions());
    assertEquals("WWWWWW\nW.ABGW\nWWWWWW", episode.step("east").observation());
    assertEquals("WWWWWW\nW..ACW\nWWWWWW", episode.step("East").observation());
  }

  @Test
  void tellsTaskSymbolsAndActions() {
    assertEquals(
        """
        Push!
        The meaning of each symbol in the state is:
        #: wall, _: empty, O: target, √: box on target, X: box, P: player, S: player on target
        Your available actions are:
        Up, Down, Left, Right\
        """,
        Rooms.scenario(Map.of("env_instruction", "Push!")).instruction());
  }

  @Test
  void thePictureShowsWhatMoved() {
    Episode episode = Rooms.episode(Map.of("render_mode", "rgb_array"), CORRIDOR);
    assertEquals("", episode.observation());
    BufferedImage start = episode.picture().orElseThrow();
    assertEquals(6 * 56, start.getWidth());
    assertEquals(3 * 56, start.getHeight());
    assertEquals(6 * 48, episode.render().orElseThrow().getWidth());
    assertEquals("", episode.step("<answer>Right</answer>").observation());
    assertFalse(Arrays.equals(pixels(start), pixels(episode.picture().orElseThrow())));
    assertTrue(Rooms.episode(Map.of(), CORRIDOR).picture().isEmpty());
  }

  @Test
  void textAndPictureMayBeSeenTogether() {
    Map<String, Object> config = Map.of("observation", "both", "cell_pixels", 28);
    Episode episode = Rooms.episode(new HashMap<>(config), CORRIDOR);
    assertEquals(Rooms.episode(Map.of(), CORRIDOR).observation(), episode.observation());
    assertEquals(6 * 28, episode.picture().orElseThrow().getWidth());
    String instruction = Rooms.scenario(Map.of("observation", "both")).instruction();
    assertTrue(instruction.contains("yellow helmet") && instruction.contains("#: wall"));
  }

  @Test
  void contradictionsAndPicturesThatAreTooLargeAreRefused() {
    assertEquals(
        "env_config.observation: expected text where render_mode is text, found 'both'",
        complaint(Map.of("observation", "both", "render_mode", "text")));
    assertEquals(
        "env_config.cell_pixels: expected at most 70 where a side has 50 cells, found '84'",
        complaint(
            Map.of(
                "observation",
                "picture",
                "dim_room",
                List.of(8, 50),
                "num_boxes",
                1,
                "cell_pixels",
                84)));
  }

  private static String complaint(Map<String, @Nullable Object> config) {
    return userError(() -> Rooms.scenario(config));
  }

  @Test
  void theSeedChoosesALevelOfTheFile(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.txt"),
            """
            ; 0
            ######
            #@$ .#
            ######

            ; 1
            #####
            #+$ #
            #####
            ; 2
            #######
            #@*$. #
            #######\
            """);
    Scenario scenario = Rooms.scenario(Map.of("level_file", file.toString()));
    Set<String> seen = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      seen.add(scenario.reset(seed).observation());
      assertEquals(scenario.reset(seed).observation(), scenario.reset(seed).observation());
    }
    assertEquals(
        Set.of("######\n#PX_O#\n######", "#####\n#SX_#\n#####", "#######\n#P√XO_#\n#######"), seen);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "; 0                         | a.txt:1: has no level: expected",
        "; 0,####,#@x#               | a.txt:3: unknown symbol 'x' (allowed: # @ + $ * . and"
            + " space)",
        "; 0,#####,#@$.#,####        | a.txt:4: expected 5 symbols as in the row before, found 4",
        "; 0,#####,#@$.,#####        | a.txt:3: expected 5 symbols as in the row before, found 4",
        "; 0,#####,#@$.$,#####       | a.txt:3: expected # all around the level",
        "; 0,#####,# $.#,#####       | a.txt:2: expected one player (@ or +) in the level, found 0",
        "; 0,#####,#@$ #,#####       | a.txt:2: expected as many boxes as targets, found 1 and 0",
        "; 0,####,#@*#,####,,; 1     | a.txt:2: expected a box that is not on a target"
      })
  void aBadLevelIsNamedByItsLine(String lines, String message, @TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), lines.strip().replace(',', '\n'));
    String found = refusal(Map.of("level_file", file.toString()));
    assertTrue(found.startsWith("env_config.level_file: " + folder + "/" + message), found);
  }

  static List<Object[]> wrongOptions() {
    String size = "env_config.dim_room: expected rows and columns, two integers from 3 to 50";
    return List.of(
        new Object[] {"dim_room", List.of(6), size},
        new Object[] {"dim_room", List.of(2, 6), size},
        new Object[] {"dim_room", List.of("six", 6), size},
        new Object[] {"num_boxes", 0, "env_config.num_boxes: expected an integer from 1 to"},
        new Object[] {"num_boxes", 90, "env_config.num_boxes: expected fewer boxes or a larger"},
        new Object[] {"search_depth", 0, "env_config.search_depth: expected an integer from"},
        new Object[] {"max_steps", 0, "env_config.max_steps: expected an integer of at least"},
        new Object[] {
          "level_file", "no/where.txt", "env_config.level_file: no file 'no/where.txt'"
        },
        new Object[] {"render_mode", "tiny", "env_config.render_mode: expected one of text, rgb"},
        new Object[] {
          "action_lookup",
          Map.of(0, "Up", 1, "Down", 2, "Left", 3, "Right"),
          "env_config.action_lookup: expected distinct names for the actions 1 to 4"
        },
        new Object[] {"grid_lookup", Map.of(0, "#"), "env_config.grid_lookup: expected a symbol"},
        new Object[] {"grid_vocab", Map.of("#", "wall"), "env_config.grid_vocab: expected a mean"},
        new Object[] {"action_pattern", "(", "env_config.action_pattern: expected a regular"},
        new Object[] {"dim_rom", List.of(6, 6), "env_config: unknown key 'dim_rom'"});
  }

  @ParameterizedTest
  @MethodSource("wrongOptions")
  void wrongOptionsAreRefusedInOneLine(String name, Object value, String message) {
    String found = refusal(Map.of(name, value));
    assertTrue(found.startsWith(message), found);
    assertFalse(found.contains("\n"), found);
  }

  private static String refusal(Map<String, Object> config) {
    return userError(() -> Rooms.scenario(Map.copyOf(config)));
  }

  private static int[] pixels(BufferedImage image) {
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }

  private static void check(Step step, double reward, boolean effective, boolean valid) {
    assertEquals(reward, step.reward(), 1e-12);
    assertFalse(step.terminated());
    assertEquals(effective ? 1.0 : 0.0, step.metrics().get("action_is_effective"));
    assertEquals(valid ? 1.0 : 0.0, step.metrics().get("action_is_valid"));
    assertEquals(0.0, step.metrics().get("success"));
  }

  @Test
  void levelsOfAFileAreNotPlayedAgainForOthers() {
    SokobanEnvironment environment = new SokobanEnvironment();
    assertTrue(environment.safeToReplay(options(environment, Map.of())));
    assertFalse(environment.safeToReplay(options(environment, Map.of("level_file", "any"))));
  }

  private static Options options(SokobanEnvironment environment, Map<String, Object> config) {
    return TestOptions.of("env_config", config, environment.options());
  }
}
