package roll.rollout.setup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;
import roll.rollout.supervise.EnvironmentException;

/**
 * A configured reward function with its weight.
 *
 * @param name of the reward function
 * @param weight factor of its score
 * @param key location of the reference answer, or null if it needs none
 */
record WeightedReward(String name, double weight, Reward reward, @Nullable AnswerKey key) {
  /** Prefix of the metrics of rewards. */
  static final String METRIC = "reward/";

  /**
   * Adds the weighted scores of {@code functions} to the reward of the last turn, and the metrics
   * {@code reward/<name>} and {@code reward/<name>/<detail>}. Details that are not finite are
   * dropped.
   *
   * @throws EnvironmentException if a score is not finite
   */
  static Trajectory add(List<WeightedReward> functions, Trajectory episode, RewardModels models)
      throws InterruptedException {
    if (functions.isEmpty() || episode.rewards().length == 0) {
      return episode;
    }
    double[] rewards = episode.rewards().clone();
    String answer = episode.answer();
    Map<String, Double> metrics = new LinkedHashMap<>(episode.metrics());
    for (WeightedReward weighted : functions) {
      Grade grade = weighted.reward().grade(episode, models);
      double score = weighted.finite(grade.score());
      rewards[rewards.length - 1] += weighted.weight() * score;
      metrics.put(METRIC + weighted.name(), weighted.weight() * score);
      grade
          .details()
          .forEach(
              (name, value) -> {
                if (Double.isFinite(value)) {
                  metrics.put(METRIC + weighted.name() + "/" + name, value);
                }
              });
      answer = answer == null ? grade.answer() : answer;
    }
    return episode.withRewards(rewards, metrics).withAnswer(answer);
  }

  private double finite(double score) {
    if (!Double.isFinite(score)) {
      throw EnvironmentException.invalid("reward " + name, String.valueOf(score));
    }
    return score;
  }
}
