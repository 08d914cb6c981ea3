package roll.core.sft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;
import roll.api.preference.PreferenceResult;

/** Answers as samples of a batch, their sums, and their metrics. */
class AnswerBatchTest {
  private static final Demonstration GOOD = answer(2, 1, 2, 3, 4);
  private static final Demonstration BAD = answer(2, 1, 2, 5);
  private static final Demonstration OTHER = answer(1, 7, 8, 9);

  private static Demonstration answer(int prompt, int... tokens) {
    boolean[] learned = new boolean[tokens.length];
    for (int i = prompt; i < tokens.length; i++) {
      learned[i] = true;
    }
    return new Demonstration("x", tokens, learned);
  }

  @Test
  void onlyTokensOfTheAnswersCount() {
    AnswerBatch answers =
        AnswerBatch.of(List.of(Preference.pair(GOOD, BAD), Preference.pair(OTHER, GOOD)));
    assertEquals(List.of(new Pair(0, 1), new Pair(2, 3)), answers.pairs());
    double nan = Double.NaN; // of tokens that the policy did not write
    double[] policy = {nan, nan, -1, -2, nan, nan, -4, nan, -5, -6, nan, nan, -7, -8};
    double[] reference = {nan, nan, -2, -2, nan, nan, -3, nan, -5, -5, nan, nan, -9, -8};
    Batch scored = answers.batch().withColumn(Batch.OLD_LOG_PROBS, policy);
    PreferenceBatch sums = answers.sums(scored, policy, reference, 0.5);
    assertArrayEquals(new double[] {-3, -4, -11, -15}, sums.logProbs());
    assertArrayEquals(new double[] {-4, -3, -10, -17}, sums.referenceLogProbs());
    assertArrayEquals(new int[] {2, 1, 2, 2}, sums.lengths());
    assertArrayEquals(new boolean[] {true, false, true, false}, sums.preferred());
    double[] rewards = {1, -1, -1, 2};
    assertEquals(
        Map.of(
            "kl", 0.5,
            "rewards/chosen", 0.0,
            "rewards/rejected", 0.5,
            "rewards/margins", -0.5,
            "rewards/accuracies", 0.5,
            "logps/chosen", -7.0,
            "logps/rejected", -9.5),
        PreferenceMetrics.of(
            sums, new PreferenceResult(0, new double[4], rewards, Map.of("kl", 0.5)), Set.of()));
  }

  @Test
  void mismatchedAnswersFollowThePromptOfTheNext() {
    AnswerBatch answers =
        AnswerBatch.of(
            List.of(new Preference(GOOD, null, true, 0), new Preference(OTHER, null, false, 0)));
    assertArrayEquals(new boolean[] {true, false}, answers.preferred());
    List<Demonstration> mismatched = answers.mismatched(4);
    assertArrayEquals(new int[] {7, 3, 4}, mismatched.getFirst().tokens());
    assertArrayEquals(new boolean[] {false, true, true}, mismatched.getFirst().trained());
    assertArrayEquals(new int[] {1, 2, 8, 9}, mismatched.getLast().tokens());
    assertArrayEquals(new int[] {1, 2, 8}, answers.mismatched(3).getLast().tokens());
    assertEquals(
        List.of(),
        AnswerBatch.of(List.of(new Preference(GOOD, null, true, 0))).mismatched(9),
        "a single answer has no other prompt");
  }
}
