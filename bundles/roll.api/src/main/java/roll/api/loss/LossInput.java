package roll.api.loss;

import org.jspecify.annotations.Nullable;

/**
 * What a loss sees, jagged: sample {@code i} owns the cells {@code offsets[i]} to {@code offsets[i
 * + 1]}.
 *
 * @param offsets first cell of each sample and, last, the number of cells
 * @param turns turn by token, −1 where the policy did not write it
 * @param mask which tokens are trained on
 * @param logProbs log-probs under the current policy
 * @param entropies entropies of the current policy
 * @param oldLogProbs log-probs before this step's updates
 * @param referenceLogProbs log-probs of the reference policy, or null without one
 * @param advantages advantages
 * @param settings clips, coefficients, aggregation
 * @param denominators of the whole optimizer batch these samples are part of
 */
public record LossInput(
    int[] offsets,
    int[] turns,
    boolean[] mask,
    double[] logProbs,
    double[] entropies,
    double[] oldLogProbs,
    double @Nullable [] referenceLogProbs,
    double[] advantages,
    LossSettings settings,
    Denominators denominators) {
  /** Number of samples. */
  public int samples() {
    return offsets.length - 1;
  }
}
