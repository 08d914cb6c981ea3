package roll.math;

import roll.api.data.Layout;

/** Rewards by token where only the outcome of each sample is rewarded. */
public final class OutcomeRewards {
  private OutcomeRewards() {}

  /** The number of each sample on its last policy token; 0 elsewhere. */
  public static double[] onLastTokens(Layout layout, double[] bySample) {
    double[] rewards = new double[layout.size()];
    for (int i = 0; i < bySample.length; i++) {
      int[] tokens = layout.policyTokens(i);
      if (tokens.length > 0) {
        rewards[tokens[tokens.length - 1]] = bySample[i];
      }
    }
    return rewards;
  }
}
