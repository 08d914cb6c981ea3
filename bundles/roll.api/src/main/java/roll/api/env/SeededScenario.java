package roll.api.env;

import java.util.function.LongFunction;

/** A world without options of its own left: what is told, and an episode for each seed. */
record SeededScenario(String instruction, LongFunction<Episode> episodes) implements Scenario {
  @Override
  public Episode reset(long seed) {
    return episodes.apply(seed);
  }
}
