package roll.rollout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;

/**
 * A reward that is added to those of the environment.
 *
 * @param name of the reward function
 * @param weight what its score is multiplied by
 * @param key where it finds the answer that it grades by, or null where it needs none
 */
record Term(String name, double weight, Reward reward, @Nullable AnswerKey key) {
  /**
   * The same episode with all {@code terms} in the reward of its last turn, each also as the metric
   * {@code reward/<name>}, its details as {@code reward/<name>/<detail>}.
   *
   * @throws EnvironmentException if a score is not finite
   */
  static Trajectory add(List<Term> terms, Trajectory episode, RewardModels models)
      throws InterruptedException {
    if (terms.isEmpty() || episode.rewards().length == 0) {
      return episode;
    }
    double[] rewards = episode.rewards().clone();
    String answer = episode.answer();
    Map<String, Double> metrics = new LinkedHashMap<>(episode.metrics());
    for (Term term : terms) {
      Grade grade = term.reward().grade(episode, models);
      double score = term.finite("", grade.score());
      rewards[rewards.length - 1] += term.weight() * score;
      metrics.put("reward/" + term.name(), term.weight() * score);
      grade
          .details()
          .forEach(
              (name, value) ->
                  metrics.put(
                      "reward/" + term.name() + "/" + name, term.finite(" " + name, value)));
      answer = answer == null ? grade.answer() : answer;
    }
    return episode.withRewards(rewards, metrics).withAnswer(answer);
  }

  private double finite(String detail, double value) {
    if (!Double.isFinite(value)) {
      throw EnvironmentException.gave("reward " + name + detail, String.valueOf(value));
    }
    return value;
  }
}
