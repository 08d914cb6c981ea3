package roll.env.sokoban;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.testkit.TestOptions;

/** Scenarios and levels for tests. */
final class Rooms {
  private Rooms() {}

  static SokobanScenario scenario(Map<String, @Nullable Object> config) {
    return new SokobanScenario(
        TestOptions.of("env_config", config, new SokobanEnvironment().options()));
  }

  static SokobanScenario scenario(int rows, int columns, int boxes, int depth) {
    return scenario(
        Map.of("dim_room", List.of(rows, columns), "num_boxes", boxes, "search_depth", depth));
  }

  /** An episode on the level of these rows, written as in level files. */
  static SokobanEpisode episode(Map<String, @Nullable Object> config, String... rows) {
    return new SokobanEpisode(scenario(new HashMap<>(config)), level(rows));
  }

  static Level level(String... rows) {
    return LevelFile.parse("test", "levels", List.of(rows)).getFirst();
  }

  /** The board as level files write it. */
  static String text(Board board) {
    StringBuilder text = new StringBuilder();
    for (int cell = 0; cell < board.level().walls().length; cell++) {
      text.append("# .*$@+".charAt(board.content(cell)));
    }
    return text.toString();
  }
}
