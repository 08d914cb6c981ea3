package roll.math;

import roll.api.data.Layout;

/** Converts outcome rewards into token rewards. */
public final class OutcomeRewards {
  private OutcomeRewards() {}

  /** Returns the number of each sample on its last policy token; 0 for all other tokens. */
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
