package roll.estimator.grpo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

class GrpoEstimatorTest extends EstimatorContract {
  private static final int[] OFFSETS = {0, 4, 7};
  private static final int[] TURNS = {-1, 0, -1, 1, -1, 0, 0};
  private static final boolean[] MASK = {false, true, false, true, false, true, true};

  @Override
  protected AdvantageEstimator estimator() {
    return new GrpoEstimator();
  }

  /** The group [1, 0] normalised by mean and unbiased deviation is ±.707106. */
  @Test
  void everyTokenHasTheOutcome() {
    double[] outcomes = {0, 0, 0, 0.707106, 0, 0, -0.707106};
    double[] expected = {0, 0.707106, 0, 0.707106, 0, -0.707106, -0.707106};
    Advantages result = estimate(outcomes, 1);
    assertArrayEquals(expected, result.advantages());
    assertArrayEquals(expected, result.returns());
  }

  /** A penalty by token is part of the outcome, whichever token it was given to. */
  @Test
  void penaltiesByTokenBelongToTheOutcome() {
    double[] rewards = {0, -0.25, 0, 1, 0, 0.5, -0.125};
    assertArrayEquals(
        new double[] {0, 0.75, 0, 0.75, 0, 0.375, 0.375}, estimate(rewards, 1).advantages());
  }

  @Test
  void theDiscountCountsTokensOfThePolicy() {
    double[] rewards = {0, 0, 0, 1, 0, 0, -2};
    assertArrayEquals(
        new double[] {0, 0.9, 0, 1, 0, -1.8, -2}, estimate(rewards, 0.9).advantages(), 1e-15);
  }

  private Advantages estimate(double[] rewards, double gamma) {
    return estimator()
        .estimate(
            new TokenRewards(OFFSETS, rewards, TURNS, MASK, null, new int[] {0, 0}, gamma, 1));
  }
}
