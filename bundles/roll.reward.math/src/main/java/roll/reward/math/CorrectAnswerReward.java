package roll.reward.math;

import java.util.List;
import java.util.Map;
import roll.api.data.Trajectory;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;

/**
 * Scores a correct final response 1, a wrong one little or nothing, and a conversation of another
 * form 0.
 *
 * @param held releases the grader at the end
 */
record CorrectAnswerReward(ConversationForm form, AnswerKey key, AnswerGrader grader, Runnable held)
    implements Reward {
  /** Creates a reward with a grader that needs no release. */
  CorrectAnswerReward(ConversationForm form, AnswerKey key, AnswerGrader grader) {
    this(form, key, grader, () -> {});
  }

  @Override
  public Grade grade(Trajectory episode, RewardModels models) {
    String response = episode.finalResponse();
    List<String> golds = key.answers(episode);
    boolean right = golds.stream().anyMatch(gold -> grader.equal(gold, response));
    double score = !form.fits(episode) ? 0 : right ? 1 : form.wrong();
    return new Grade(score, Map.of("acc", right ? 1.0 : 0.0), grader.answer(response).orElse(null));
  }

  @Override
  public void close() {
    held.run();
  }
}
