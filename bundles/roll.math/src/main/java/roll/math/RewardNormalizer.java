package roll.math;

import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;

/**
 * Normalizes numbers over their batch or group: {@code (x − μ) / (σ + 1e-6)} with the unbiased σ, 0
 * if the group is a single number or σ ≤ 1e-6; {@code x − μ} without σ. The same as ROLL's agentic
 * pipeline.
 */
public final class RewardNormalizer {
  private static final double EPSILON = 1e-6;
  private static final double LOWEST = -1;
  private static final double HIGHEST = 3;

  private RewardNormalizer() {}

  /**
   * Returns {@code x} normalized as {@code how} configures; number {@code i} is in group {@code
   * groups[i]}.
   */
  public static double[] normalize(double[] x, int[] groups, RewardNormalization how) {
    GroupMoments batch = GroupMoments.of(x, new int[x.length]);
    GroupMoments group = GroupMoments.of(x, groups);
    double[] normalized = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      double mean =
          how.mean() == Scope.NONE ? 0 : (how.mean() == Scope.BATCH ? batch : group).mean(i);
      normalized[i] = x[i] - mean;
      if (how.std() != Scope.NONE) {
        double std = (how.std() == Scope.BATCH ? batch : group).std(i);
        normalized[i] = group.count(i) > 1 && std > EPSILON ? normalized[i] / (std + EPSILON) : 0;
      }
      if (how.asymClip()) {
        normalized[i] = Math.clamp(normalized[i], LOWEST, HIGHEST);
      }
    }
    return normalized;
  }
}
