package roll.reward.guideline;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.plugin.Lease;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.RewardModels;

/**
 * The frozen solver and the grader of its answers.
 *
 * @param model key of {@code reward_models}
 * @param key field of the reference answers
 */
record FrozenSolver(String model, AnswerKey key, Lease<AnswerGrader> grader) {
  /** Returns the solver's answer to {@code conversation}. */
  String ask(List<Message> conversation, RewardModels models) throws InterruptedException {
    return models.ask(model, conversation);
  }

  /** Returns the reference answers of {@code episode}. */
  List<String> golds(Trajectory episode) {
    return key.answers(episode);
  }

  /**
   * Returns 1 if {@code solution} answers one of {@code golds}; 0 otherwise, and if the grader
   * fails.
   */
  double accuracy(List<String> golds, String solution) {
    if (solution.isBlank()) {
      return 0;
    }
    try {
      return golds.stream().anyMatch(gold -> grader.service().equal(gold, solution)) ? 1 : 0;
    } catch (RuntimeException e) { // a grader that fails on a text costs this episode only
      return 0;
    }
  }

  /** Returns the answer in {@code solution}; null if the grader finds none. */
  @Nullable String answer(String solution) {
    try {
      return grader.service().answer(solution).orElse(null);
    } catch (RuntimeException e) {
      return null;
    }
  }
}
