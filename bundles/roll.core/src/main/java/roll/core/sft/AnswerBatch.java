package roll.core.sft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.api.data.Batch;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;
import roll.runtime.config.SftConfig.Truncation;

/**
 * The answers of preferences, in the order in which their batch has them.
 *
 * @param answers of which a pair has two, the chosen one first
 * @param preferred whether each is the chosen or a desirable one
 * @param pairs empty where each answer has a label
 */
record AnswerBatch(List<Demonstration> answers, boolean[] preferred, List<Pair> pairs) {
  static AnswerBatch of(List<Preference> preferences) {
    List<Demonstration> answers = new ArrayList<>();
    List<Pair> pairs = new ArrayList<>();
    boolean[] preferred = new boolean[2 * preferences.size()];
    for (Preference one : preferences) {
      preferred[answers.size()] = one.desirable();
      answers.add(one.answer());
      if (one.rejected() != null) {
        answers.add(one.rejected());
        pairs.add(new Pair(answers.size() - 2, answers.size() - 1, one.margin()));
      }
    }
    return new AnswerBatch(answers, Arrays.copyOf(preferred, answers.size()), pairs);
  }

  Batch batch() {
    return SftData.batch(answers);
  }

  /**
   * The answers, each behind the prompt of the next one: what the policy thinks of them does not
   * depend on whether they are good answers.
   *
   * @param most tokens of one; more are cut off
   */
  List<Demonstration> mismatched(int most) {
    List<Demonstration> all = new ArrayList<>();
    for (int i = 0; i < answers.size() && answers.size() > 1; i++) {
      Demonstration other = answers.get((i + 1) % answers.size());
      all.add(answers.get(i).behind(other).cut(most, Truncation.RIGHT));
    }
    return all;
  }

  /**
   * Sums up the log-probs of each answer, or the scores, of which each has one.
   *
   * @param policy log-probs of the tokens of {@code scored}
   * @param reference log-probs of its tokens under the reference
   */
  PreferenceBatch sums(Batch scored, double[] policy, double[] reference, double divergence) {
    return new PreferenceBatch(
        scored.layout().sumBySample(policy),
        scored.layout().sumBySample(reference),
        scored.layout().countBySample(),
        preferred,
        pairs,
        divergence);
  }
}
