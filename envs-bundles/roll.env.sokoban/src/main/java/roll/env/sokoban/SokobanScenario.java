package roll.env.sokoban;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.grid.GridScenario;
import roll.grid.GridWorld;
import roll.grid.LevelSplit;

/** The configuration of rooms or level files. */
final class SokobanScenario implements GridScenario {
  private static final int LARGEST = 50;
  private static final Option<List<String>> DIM_ROOM =
      Option.list("dim_room", "rows and columns with walls, each 3 to 50")
          .withDefault(List.of("10", "10"));
  private static final Option<Integer> NUM_BOXES =
      Option.integer("num_boxes", 1, 100, "boxes and targets").withDefault(4);
  private static final Option<Integer> SEARCH_DEPTH =
      Option.integer(
              "search_depth",
              1,
              10_000,
              "maximum moves of the reverse play that makes a room, an upper bound of its solution")
          .withDefault(300);
  private static final Option<String> LEVEL_FILE =
      Option.text(
          "level_file",
          "levels in [Boxoban's](https://github.com/google-deepmind/boxoban-levels) format"
              + " instead of generated rooms; the seed selects one. Searched in the current"
              + " folder, the configuration's folder and its parent");

  /** Options of generated rooms. */
  static final List<Option<?>> OPTIONS =
      List.of(DIM_ROOM, NUM_BOXES, SEARCH_DEPTH, LEVEL_FILE, LevelSplit.VAL_SHARE);

  private final String where;
  private final RoomGenerator rooms;
  private final List<Level> levels;
  private final LevelSplit split;
  private final GridWorld grid;
  private final BoardSymbols symbols;
  private final BoardPicture picture;

  SokobanScenario(Options options) {
    where = options.where();
    rooms = rooms(options);
    split = new LevelSplit(options);
    grid = new GridWorld(options, 1, BoardPicture.MEANING);
    symbols = new BoardSymbols(options);
    picture = new BoardPicture(grid.cellPixels());
    levels =
        options
            .find(LEVEL_FILE)
            .map(file -> LevelFile.read(where + "." + LEVEL_FILE.name(), Path.of(file)))
            .orElse(List.of());
    grid.checkPicture(options, longestSide());
    if (levels.isEmpty() && rooms.level(0) == null) {
      throw tooFull();
    }
  }

  /** Returns whether rooms are generated rather than read from a file. */
  static boolean generates(Options options) {
    return !options.has(LEVEL_FILE);
  }

  /** Returns the number of cells of the longest side of any room. */
  private int longestSide() {
    return levels.stream()
        .mapToInt(level -> Math.max(level.rows(), level.columns()))
        .max()
        .orElse(Math.max(rooms.rows(), rooms.columns()));
  }

  private static RoomGenerator rooms(Options options) {
    List<Integer> sizes = options.get(DIM_ROOM).stream().map(SokobanScenario::size).toList();
    if (sizes.size() != 2 || sizes.contains(0)) {
      throw options.wrong(DIM_ROOM, "rows and columns, two integers from 3 to " + LARGEST);
    }
    return new RoomGenerator(
        sizes.get(0), sizes.get(1), options.get(NUM_BOXES), options.get(SEARCH_DEPTH));
  }

  /** Returns the size, or 0 if it is not allowed. */
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
            + "."
            + NUM_BOXES.name()
            + ": expected fewer boxes or a larger "
            + DIM_ROOM.name()
            + ", found "
            + rooms.boxes()
            + " in "
            + rooms.rows()
            + " × "
            + rooms.columns()
            + ", for which no room could be generated");
  }

  @Override
  public Episode reset(long seed) {
    return new SokobanEpisode(this, level(seed));
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return new SokobanEpisode(this, split.draw(start, this::level, Level::room));
  }

  /** Returns the Sokoban level of {@code seed}. */
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
  public GridWorld grid() {
    return grid;
  }

  /** Returns the renderer of Sokoban observations. */
  BoardPicture picture() {
    return picture;
  }

  BoardSymbols symbols() {
    return symbols;
  }
}
