package roll.rollout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.data.Trajectory;
import roll.api.reward.Reward;

/**
 * A reward that is added to those of the environment.
 *
 * @param name of the reward function
 * @param weight what its score is multiplied by
 */
record Term(String name, double weight, Reward reward) {
  /**
   * The same episode with all {@code terms} in the reward of its last turn, each also as the metric
   * {@code reward/<name>}.
   *
   * @throws EnvironmentException if a score is not finite
   */
  static Trajectory add(List<Term> terms, Trajectory episode) {
    if (terms.isEmpty() || episode.rewards().length == 0) {
      return episode;
    }
    double[] rewards = episode.rewards().clone();
    Map<String, Double> metrics = new LinkedHashMap<>(episode.metrics());
    for (Term term : terms) {
      double score = term.reward().score(episode);
      if (!Double.isFinite(score)) {
        throw EnvironmentException.gave("reward " + term.name(), String.valueOf(score));
      }
      rewards[rewards.length - 1] += term.weight() * score;
      metrics.put("reward/" + term.name(), term.weight() * score);
    }
    return episode.withRewards(rewards, metrics);
  }
}
