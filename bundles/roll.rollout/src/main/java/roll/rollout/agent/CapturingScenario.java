package roll.rollout.agent;

import java.util.Map;
import java.util.function.Consumer;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/** A world that tells which episode it began. */
record CapturingScenario(Scenario scenario, Consumer<Episode> begun) implements Scenario {
  @Override
  public String instruction() {
    return scenario.instruction();
  }

  @Override
  public Episode reset(long seed) {
    return captured(scenario.reset(seed));
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return captured(scenario.reset(start));
  }

  private Episode captured(Episode episode) {
    begun.accept(episode);
    return episode;
  }

  @Override
  public boolean readsSpecialTokens() {
    return scenario.readsSpecialTokens();
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return scenario.aggregations();
  }
}
