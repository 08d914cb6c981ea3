package roll.rollout.supervise;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/** A world whose calls an {@link Attempt} keeps watch over. */
public record SupervisedScenario(Scenario scenario, Attempt attempt) implements Scenario {
  @Override
  public String instruction() {
    return attempt.ask(
        "instruction", () -> SupervisedEpisode.text("instruction", scenario.instruction()));
  }

  @Override
  public Episode reset(long seed) {
    return new SupervisedEpisode(attempt.work("reset", () -> scenario.reset(seed)), attempt);
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return new SupervisedEpisode(attempt.work("reset", () -> scenario.reset(start)), attempt);
  }

  @Override
  public boolean readsSpecialTokens() {
    return attempt.ask("readsSpecialTokens", scenario::readsSpecialTokens);
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return attempt.ask("aggregations", () -> new LinkedHashMap<>(scenario.aggregations()));
  }
}
