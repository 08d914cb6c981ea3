package roll.rollout;

import java.util.Map;
import java.util.function.Consumer;
import roll.api.env.Episode;
import roll.api.env.Scenario;

/** A world that tells which episode it began. */
record WatchedScenario(Scenario scenario, Consumer<Episode> begun) implements Scenario {
  @Override
  public String instruction() {
    return scenario.instruction();
  }

  @Override
  public Episode reset(long seed) {
    Episode episode = scenario.reset(seed);
    begun.accept(episode);
    return episode;
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return scenario.aggregations();
  }
}
