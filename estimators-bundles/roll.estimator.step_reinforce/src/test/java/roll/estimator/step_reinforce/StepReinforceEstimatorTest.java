package roll.estimator.step_reinforce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

class StepReinforceEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new StepReinforceEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SCALE);
  }

  private static final TokenRewards STEPS =
      TokenRewards.of(new double[][] {{-.1, 0, -.25, 0, 10.9}}, new int[][] {{1, 0, 1, 0, 1}});

  /**
   * Numbers of {@code compute_discounted_returns} of {@code
   * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/utils.py#L61} in double precision.
   */
  @Test
  void stepReturns() {
    assertArrayEquals(
        new double[] {9.49975, 0, 10.105, 0, 10.9}, estimate(STEPS).advantages(), TOLERANCE);
    assertArrayEquals(
        new double[] {-.1, 0, -.25, 0, 10.9},
        estimate(STEPS, Map.of("step_reward_gamma", 0)).advantages(),
        TOLERANCE);
  }

  /** Mean 10.168250 and deviation .702265 of the three returns. */
  @Test
  void returnsAreNormalized() {
    RewardNormalization how = new RewardNormalization("batch", Scope.BATCH, Scope.BATCH, false);
    assertArrayEquals(
        new double[] {-.951919, 0, -.090066, 0, 1.041985},
        estimate(STEPS.withNormalization(how)).advantages(),
        TOLERANCE);
  }
}
