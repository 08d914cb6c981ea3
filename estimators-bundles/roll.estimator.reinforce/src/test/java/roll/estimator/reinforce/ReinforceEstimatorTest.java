package roll.estimator.reinforce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

class ReinforceEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new ReinforceEstimator();
  }

  @Test
  void withoutDiscountEveryTokenHasTheRewardToGo() {
    int[] turns = {-1, 0, 0, -1, 1, 1};
    double[] rewards = {0, 0, 0.5, 0, 0, 1};
    assertArrayEquals(new double[] {0, 1.5, 1.5, 0, 1, 1}, estimate(1, turns, rewards), 1e-15);
  }

  @Test
  void theDiscountActsOnceAToken() {
    double[] rewards = {0, 0, 1};
    assertArrayEquals(
        new double[] {0.81, 0.9, 1}, estimate(0.9, new int[] {0, 0, 0}, rewards), 1e-15);
    assertArrayEquals(
        new double[] {0.45, 0.5}, estimate(0.9, new int[] {0, 0}, new double[] {0, 0.5}), 1e-15);
  }

  /** The "skip" variant of two-turn REINFORCE++: [.5, ·, 1], where a reset would give [0, ·, 1]. */
  @Test
  void theDiscountDoesNotActOnWhatTheEnvironmentWrote() {
    double[] rewards = {0, 0, 1};
    assertArrayEquals(
        new double[] {0.5, 0, 1}, estimate(0.5, new int[] {0, -1, 1}, rewards), 1e-15);
  }

  @Test
  void samplesAreApart() {
    TokenRewards rewards =
        new TokenRewards(
            new int[] {0, 2, 4},
            new double[] {0, 3, 0, -2},
            new int[] {0, 0, 0, 0},
            new boolean[] {true, true, true, true},
            null,
            new int[] {0, 0},
            1,
            1);
    Advantages result = estimator().estimate(rewards);
    assertArrayEquals(new double[] {3, 3, -2, -2}, result.advantages());
    assertArrayEquals(new double[] {3, 3, -2, -2}, result.returns());
  }

  private double[] estimate(double gamma, int[] turns, double[] rewards) {
    boolean[] mask = new boolean[turns.length];
    for (int t = 0; t < turns.length; t++) {
      mask[t] = turns[t] >= 0;
    }
    return estimator()
        .estimate(
            new TokenRewards(
                new int[] {0, turns.length}, rewards, turns, mask, null, new int[] {0}, gamma, 1))
        .advantages();
  }
}
