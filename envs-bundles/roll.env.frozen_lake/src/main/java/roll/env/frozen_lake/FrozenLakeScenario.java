package roll.env.frozen_lake;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.grid.GridScenario;
import roll.grid.GridWorld;
import roll.grid.LevelSplit;

/** The configuration of lakes and episodes. */
final class FrozenLakeScenario implements GridScenario {
  private static final Option<Integer> SIZE =
      Option.integer("size", 2, 100, "rows and columns").withDefault(4);
  private static final Option<Double> ICE =
      Option.number("p", 0, 1, "probability that a cell is ice").withDefault(0.8);
  private static final Option<Boolean> SLIPPERY =
      Option.flag(
              "is_slippery", "a move goes as chosen or to either side, each with probability 1/3")
          .withDefault(true);
  private static final Option<Integer> MAP_SEED =
      Option.integer("map_seed", "one map for all episodes");

  /** The options of the lake itself. */
  static final List<Option<?>> OPTIONS =
      List.of(SIZE, ICE, SLIPPERY, MAP_SEED, LevelSplit.VAL_SHARE);

  private final int size;
  private final double frozen;
  private final @Nullable Integer mapSeed;
  private final boolean slippery;
  private final LevelSplit split;
  private final GridWorld grid;
  private final LakeSymbols symbols;
  private final LakePicture picture;

  FrozenLakeScenario(Options options) {
    size = options.get(SIZE);
    frozen = options.get(ICE);
    mapSeed = options.find(MAP_SEED).orElse(null);
    slippery = options.get(SLIPPERY);
    split = new LevelSplit(options);
    if (mapSeed != null && split.splits()) {
      throw options.wrong(
          LevelSplit.VAL_SHARE, "0 with " + MAP_SEED.name() + ", which fixes the map");
    }
    grid = new GridWorld(options, 0, LakePicture.MEANING);
    grid.checkPicture(options, size);
    symbols = LakeSymbols.of(options);
    picture = new LakePicture(grid.cellPixels());
  }

  @Override
  public Episode reset(long seed) {
    return episode(map(seed), seed);
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return episode(split.draw(start, this::map, LakeMap::key), start.seed());
  }

  private LakeMap map(long seed) {
    return LakeMap.random(
        size,
        frozen,
        RandomStreams.of(mapSeed == null ? seed : mapSeed, "roll.env.frozen_lake/map"));
  }

  private Episode episode(LakeMap map, long seed) {
    return new FrozenLakeEpisode(this, map, RandomStreams.of(seed, "roll.env.frozen_lake/slip"));
  }

  boolean slippery() {
    return slippery;
  }

  @Override
  public GridWorld grid() {
    return grid;
  }

  /** Returns the renderer of FrozenLake observations. */
  LakePicture picture() {
    return picture;
  }

  LakeSymbols symbols() {
    return symbols;
  }
}
