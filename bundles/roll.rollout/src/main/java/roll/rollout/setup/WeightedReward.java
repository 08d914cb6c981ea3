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
 * A reward that is added to those of the environment.
 *
 * @param name of the reward function
 * @param weight what its score is multiplied by
 * @param key where it finds the answer that it grades by, or null where it needs none
 */
record WeightedReward(String name, double weight, Reward reward, @Nullable AnswerKey key) {
  /** What the names of metrics of rewards begin with. */
  static final String METRIC = "reward/";

  /**
   * The same episode with all {@code functions} in the reward of its last turn, each also as the
   * metric {@code reward/<name>}, its details as {@code reward/<name>/<detail>}. A detail that is
   * not finite is a missing one.
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
      throw EnvironmentException.gave("reward " + name, String.valueOf(score));
    }
    return score;
  }
}
