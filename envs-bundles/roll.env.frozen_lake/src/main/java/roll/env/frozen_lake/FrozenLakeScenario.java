package roll.env.frozen_lake;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.Options;
import roll.grid.GridWorld;

/** A lake of given size, ice and rules. */
final class FrozenLakeScenario implements Scenario {
  private final int size;
  private final double frozen;
  private final @Nullable Integer mapSeed;
  private final boolean slippery;
  private final GridWorld grid;
  private final LakeSymbols symbols;

  FrozenLakeScenario(Options options) {
    size = options.integer("size", 2, 100);
    frozen = options.number("p", 0, 1);
    mapSeed =
        options.has("map_seed")
            ? options.integer("map_seed", Integer.MIN_VALUE, Integer.MAX_VALUE)
            : null;
    slippery = options.flag("is_slippery");
    grid = new GridWorld(options, 0);
    symbols = LakeSymbols.of(options);
  }

  @Override
  public String instruction() {
    return grid.instruction();
  }

  @Override
  public Episode reset(long seed) {
    long map = mapSeed == null ? seed : mapSeed;
    return new FrozenLakeEpisode(
        this,
        LakeMap.random(size, frozen, RandomStreams.of(map, "roll.env.frozen_lake/map")),
        RandomStreams.of(seed, "roll.env.frozen_lake/slip"));
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return GridWorld.AGGREGATIONS;
  }

  boolean slippery() {
    return slippery;
  }

  GridWorld grid() {
    return grid;
  }

  LakeSymbols symbols() {
    return symbols;
  }
}
