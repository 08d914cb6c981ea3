package roll.api.estimator;

import org.jspecify.annotations.Nullable;

/**
 * What an estimator sees, jagged: sample {@code i} owns the cells {@code offsets[i]} to {@code
 * offsets[i + 1]}.
 *
 * @param offsets first cell of each sample and, last, the number of cells
 * @param rewards reward by token; 0 outside the mask
 * @param turns turn by token, −1 where the policy did not write it
 * @param mask which tokens the policy wrote
 * @param values critic's values by token, or null without a critic
 * @param groups group number of each sample; samples of a group have the same prompt
 * @param gamma discount by token
 * @param lambda decay of generalized advantage estimation
 */
public record TokenRewards(
    int[] offsets,
    double[] rewards,
    int[] turns,
    boolean[] mask,
    double @Nullable [] values,
    int[] groups,
    double gamma,
    double lambda) {
  /** Number of samples. */
  public int samples() {
    return offsets.length - 1;
  }
}
