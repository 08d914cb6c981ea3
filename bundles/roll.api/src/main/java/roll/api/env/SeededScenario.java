package roll.api.env;

import java.util.function.LongFunction;

/** A scenario whose episodes depend on a seed alone. */
record SeededScenario(String instruction, LongFunction<Episode> episodes) implements Scenario {
  @Override
  public Episode reset(long seed) {
    return episodes.apply(seed);
  }
}
