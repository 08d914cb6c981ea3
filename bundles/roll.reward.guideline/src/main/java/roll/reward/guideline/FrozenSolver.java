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
 * The frozen model that solves, and who grades it.
 *
 * @param model key of {@code reward_models}
 * @param key where the known answers are found
 */
record FrozenSolver(String model, AnswerKey key, Lease<AnswerGrader> grader) {
  /** What it writes in answer to {@code conversation}. */
  String ask(List<Message> conversation, RewardModels models) throws InterruptedException {
    return models.ask(model, conversation);
  }

  /** The answers of {@code episode} that are right. */
  List<String> golds(Trajectory episode) {
    return key.answers(episode);
  }

  /** 1 if {@code solution} is one of {@code golds}, otherwise 0, also where that cannot be told. */
  double accuracy(List<String> golds, String solution) {
    if (solution.isBlank()) {
      return 0;
    }
    try {
      return golds.stream().anyMatch(gold -> grader.service().equal(gold, solution)) ? 1 : 0;
    } catch (RuntimeException e) { // a grader that fails on odd text costs this episode only
      return 0;
    }
  }

  /** What {@code solution} answers, or null where that cannot be told. */
  @Nullable String answer(String solution) {
    try {
      return grader.service().answer(solution).orElse(null);
    } catch (RuntimeException e) {
      return null;
    }
  }
}
