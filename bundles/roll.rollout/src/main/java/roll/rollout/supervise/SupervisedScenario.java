package roll.rollout.supervise;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/**
 * An environment whose calls an {@link Attempt} supervises.
 *
 * @param begun receives each episode when it begins
 */
public record SupervisedScenario(Scenario scenario, Attempt attempt, Consumer<Episode> begun)
    implements Scenario {
  @Override
  public String instruction() {
    return attempt.ask(
        "instruction", () -> SupervisedEpisode.text("instruction", scenario.instruction()));
  }

  @Override
  public Episode reset(long seed) {
    return supervised(() -> scenario.reset(seed));
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return supervised(() -> scenario.reset(start));
  }

  private Episode supervised(Supplier<Episode> reset) {
    Episode episode = new SupervisedEpisode(attempt.work(Attempt.RESET, reset), attempt);
    begun.accept(episode);
    return episode;
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
