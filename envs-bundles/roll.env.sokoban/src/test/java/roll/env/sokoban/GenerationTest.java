package roll.env.sokoban;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.Episode;
import roll.api.env.Step;

class GenerationTest {
  @ParameterizedTest
  @CsvSource({
    "6, 6, 1, 300, 400",
    "6, 6, 1, 1, 100",
    "6, 6, 2, 30, 200",
    "5, 7, 3, 300, 100",
    "3, 7, 1, 300, 50",
    "8, 8, 2, 300, 100",
    "10, 10, 2, 10, 100",
    "10, 10, 4, 300, 60"
  })
  void everyRoomIsSolvedByItsExpert(int rows, int columns, int boxes, int depth, int seeds) {
    SokobanScenario scenario = Rooms.scenario(rows, columns, boxes, depth);
    for (long seed = 0; seed < seeds; seed++) {
      Level level = scenario.level(seed);
      assertEquals(boxes, count(level.boxes()));
      assertEquals(boxes, count(level.targets()));
      assertTrue(level.solution().length <= depth);
      assertTrue(solves(level, level.solution()), "the moves it was made with");
      byte[] found = new Solver(new Board(level)).solve();
      assertTrue(solves(level, found), "the expert's");
      assertTrue(boxes > 1 || found.length <= level.solution().length, "a shortest solution");
    }
  }

  @Test
  void aLevelIsAFunctionOfItsSeed() {
    Set<String> different = new HashSet<>();
    for (long seed = 0; seed < 200; seed++) {
      String start = Rooms.scenario(6, 6, 1, 300).reset(seed).observation();
      assertEquals(start, Rooms.scenario(6, 6, 1, 300).reset(seed).observation());
      different.add(start);
    }
    assertTrue(different.size() > 190, () -> "only " + different.size() + " different rooms");
    assertEquals("######\n#O___#\n#____#\n#_#X_#\n#_P__#\n######", start(0));
    assertNotEquals(start(0), start(1));
  }

  @Test
  void theExpertFindsTheWayBackAndTheShortestEnd() {
    Episode episode =
        Rooms.episode(Map.of(), "#######", "#@    #", "# $ . #", "#     #", "#######");
    assertEquals("Down", episode.expert().orElseThrow());
    episode.step("<answer>Right</answer>");
    // two more ways of the same length: the plan is rebuilt
    assertEquals("Left", episode.expert().orElseThrow());
    for (String move : List.of("Left", "Down", "Right")) {
      assertEquals(move, episode.expert().orElseThrow());
      assertFalse(episode.step("I wait").done());
      assertEquals(move, episode.expert().orElseThrow(), "nothing moved");
      episode.step("<answer>" + move + "</answer>");
    }
    assertEquals("Right", episode.expert().orElseThrow());
    Step last = episode.step("<answer>right</answer>");
    assertTrue(last.terminated());
    assertTrue(episode.expert().isEmpty());
  }

  @Test
  void theExpertKnowsWhenAllIsLost() {
    String[] corner = {"######", "#$   #", "#  . #", "#@   #", "######"};
    assertTrue(Rooms.episode(Map.of(), corner).expert().isEmpty());
    String[] square = {"#######", "#     #", "# $$  #", "# $$ @#", "# ....#", "#######"};
    assertArrayEquals(new byte[0], new Solver(new Board(Rooms.level(square))).solve());
  }

  private static String start(long seed) {
    return Rooms.scenario(6, 6, 1, 300).reset(seed).observation();
  }

  private static boolean solves(Level level, byte[] moves) {
    Board board = new Board(level);
    for (byte move : moves) {
      assertTrue(board.move(move));
    }
    return board.solved() && moves.length > 0;
  }

  private static int count(boolean[] cells) {
    int count = 0;
    for (boolean cell : cells) {
      count += cell ? 1 : 0;
    }
    return count;
  }
}
