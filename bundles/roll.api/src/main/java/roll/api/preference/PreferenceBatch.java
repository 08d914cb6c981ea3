package roll.api.preference;

import java.util.List;

/**
 * The answers of an optimizer batch. Arrays are shared and must not be modified.
 *
 * @param logProbs sum of the log-probs of each answer's tokens under the policy; the answer's score
 *     with {@link PreferenceInfo.Need#SCORES}
 * @param referenceLogProbs the same under the reference; equal to {@code logProbs} without {@link
 *     PreferenceInfo.Need#REFERENCE}
 * @param lengths number of tokens of each answer, at least 1
 * @param preferred whether each answer is the chosen one of its pair or, without pairs, desirable
 * @param pairs all answers by pairs; empty without {@link PreferenceInfo.Need#PAIRS}
 * @param divergence mean log-ratio of policy to reference over answers to other prompts, at least
 *     0: an estimate of the divergence (KTO); 0 without {@link PreferenceInfo.Need#DIVERGENCE}
 */
public record PreferenceBatch(
    double[] logProbs,
    double[] referenceLogProbs,
    int[] lengths,
    boolean[] preferred,
    List<Pair> pairs,
    double divergence) {
  /**
   * Two answers to one prompt.
   *
   * @param chosen index of the better answer
   * @param rejected index of the worse one
   * @param margin how much better the chosen answer is; 0 if the data does not say
   */
  public record Pair(int chosen, int rejected, double margin) {
    /** Creates a pair without a margin. */
    public Pair(int chosen, int rejected) {
      this(chosen, rejected, 0);
    }
  }

  /** Number of answers of the batch. */
  public int answers() {
    return logProbs.length;
  }

  /** Returns the log of the ratio of an answer's probabilities under policy and reference. */
  public double logRatio(int answer) {
    return logProbs[answer] - referenceLogProbs[answer];
  }

  /** Returns this preference batch with other log-probs of the policy. */
  public PreferenceBatch withLogProbs(double[] others) {
    return new PreferenceBatch(others, referenceLogProbs, lengths, preferred, pairs, divergence);
  }
}
