package roll.env.sokoban;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import roll.api.env.Step;

/**
 * Moves and rewards against those of gym-sokoban; src/test/resources has an excerpt of the data.
 */
class TransitionsTest {
  private static final Map<Character, String> NAMES =
      Map.of('U', "Up", 'D', "Down", 'L', "Left", 'R', "Right");

  private static final Path ALL =
      Path.of(System.getProperty("roll.root"), "../shared/data/sokoban");

  @Test
  void walksGoAsInGymSokoban() throws IOException {
    assertEquals(3, walk(resource("walks.jsonl")));
  }

  @Test
  void allWalksGoAsInGymSokoban() throws IOException {
    assumeTrue(Files.exists(ALL), () -> "skipped, there is no " + ALL.normalize());
    assertTrue(walk(Files.readString(ALL.resolve("walks.jsonl"))) > 3);
  }

  @Test
  void solutionsSolveTheirLevels() throws IOException {
    List<String> levels = resource("levels.txt").lines().toList();
    assertEquals(8, solve(resource("solutions.jsonl"), LevelFile.parse("test", "levels", levels)));
  }

  @Test
  void allSolutionsSolveTheirLevels() throws IOException {
    assumeTrue(Files.exists(ALL), () -> "skipped, there is no " + ALL.normalize());
    List<Level> levels = LevelFile.read("test", ALL.resolve("boxoban/unfiltered-train-000.txt"));
    assertEquals(1_000, levels.size());
    String solutions = Files.readString(ALL.resolve("solutions-unfiltered-train-000.jsonl"));
    assertTrue(solve(solutions, levels) > 100);
  }

  private static int walk(String lines) {
    SokobanScenario scenario = Rooms.scenario(Map.of("max_steps", 1_000));
    int walks = 0;
    for (String line : lines.lines().toList()) {
      JsonObject walk = JsonParser.parseString(line).getAsJsonObject();
      Level level = Rooms.level(texts(walk.getAsJsonArray("start")));
      SokobanEpisode episode = new SokobanEpisode(scenario, level);
      Board board = new Board(level);
      String moves = walk.get("moves").getAsString();
      for (int i = 0; i < moves.length(); i++) {
        int direction = "UDLR".indexOf(moves.charAt(i));
        boolean moved = board.move(direction);
        assertEquals(walk.getAsJsonArray("moved").get(i).getAsInt(), moved ? 1 : 0);
        Step step = episode.step("<answer>" + NAMES.get(moves.charAt(i)) + "</answer>");
        assertEquals(walk.getAsJsonArray("rewards").get(i).getAsDouble(), step.reward(), 1e-9);
        assertEquals(scenario.symbols().text(board), step.observation());
        assertEquals(moved ? 1.0 : 0.0, step.metrics().get("action_is_effective"));
      }
      String end = String.join("", texts(walk.getAsJsonArray("final")));
      assertEquals(end, Rooms.text(board));
      assertEquals(walk.get("boxes_on_target").getAsInt(), board.placed());
      walks++;
    }
    return walks;
  }

  private static int solve(String lines, List<Level> levels) {
    SokobanScenario scenario = Rooms.scenario(Map.of("max_steps", 1_000));
    int solved = 0;
    for (String line : lines.lines().toList()) {
      JsonObject solution = JsonParser.parseString(line).getAsJsonObject();
      var episode = new SokobanEpisode(scenario, levels.get(solution.get("level").getAsInt()));
      double sum = 0;
      Step step = null;
      for (char move : solution.get("moves").getAsString().toCharArray()) {
        assertFalse(step != null && step.done());
        step = episode.step("<answer>" + NAMES.get(move) + "</answer>");
        sum += step.reward();
      }
      assertTrue(Objects.requireNonNull(step).terminated());
      assertEquals(solution.get("gym_return").getAsDouble(), sum, 1e-6);
      solved++;
    }
    return solved;
  }

  private static String[] texts(JsonArray array) {
    return StreamSupport.stream(array.spliterator(), false)
        .map(JsonElement::getAsString)
        .toArray(String[]::new);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = TransitionsTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
