package roll.env.sokoban;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.grid.GridWorld;

/** Rooms of a size, or the levels of a file. */
final class SokobanScenario implements Scenario {
  private static final int LARGEST = 50;

  private final String where;
  private final RoomGenerator rooms;
  private final List<Level> levels;
  private final GridWorld grid;
  private final BoardSymbols symbols;

  SokobanScenario(Options options) {
    where = options.where();
    rooms = rooms(options);
    grid = new GridWorld(options, 1);
    symbols = new BoardSymbols(options);
    levels =
        options.has("level_file")
            ? LevelFile.read(where + ".level_file", Path.of(options.text("level_file")))
            : List.of();
    if (levels.isEmpty() && rooms.level(0) == null) {
      throw tooFull();
    }
  }

  private static RoomGenerator rooms(Options options) {
    List<Integer> sizes = options.texts("dim_room").stream().map(SokobanScenario::size).toList();
    if (sizes.size() != 2 || sizes.contains(0)) {
      throw options.wrong("dim_room", "rows and columns, two whole numbers from 3 to " + LARGEST);
    }
    return new RoomGenerator(
        sizes.get(0),
        sizes.get(1),
        options.integer("num_boxes", 1, 100),
        options.integer("search_depth", 1, 10_000));
  }

  /** A size as number, 0 if it is none that is allowed. */
  private static int size(String text) {
    return text.matches("\\d{1,2}")
            && Integer.parseInt(text) >= 3
            && Integer.parseInt(text) <= LARGEST
        ? Integer.parseInt(text)
        : 0;
  }

  private UserException tooFull() {
    return new UserException(
        where
            + ".num_boxes: expected fewer boxes or a larger dim_room, found "
            + rooms.boxes()
            + " in "
            + rooms.rows()
            + " × "
            + rooms.columns()
            + ", for which no room was found");
  }

  @Override
  public String instruction() {
    return grid.instruction();
  }

  @Override
  public Episode reset(long seed) {
    return new SokobanEpisode(this, level(seed));
  }

  /** The level of {@code seed}. */
  Level level(long seed) {
    if (!levels.isEmpty()) {
      var random = RandomStreams.of(seed, "roll.env.sokoban/level_file");
      return levels.get(random.nextInt(levels.size()));
    }
    @Nullable Level level = rooms.level(seed);
    if (level == null) {
      throw tooFull();
    }
    return level;
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return GridWorld.AGGREGATIONS;
  }

  GridWorld grid() {
    return grid;
  }

  BoardSymbols symbols() {
    return symbols;
  }
}
