package roll.estimator.agentic_reinforce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

class AgenticReinforceEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new AgenticReinforceEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SCALE);
  }

  /**
   * Numbers of {@code compute_agentic_reinforce_return} of {@code
   * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/utils.py#L391} in double precision.
   */
  @Test
  void theDiscountActsByTurn() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 0, 0, 1}}, new int[][] {{1, 1, 0, 1, 1}})
            .withDiscounts(.9, 1);
    assertArrayEquals(new double[] {.9, .9, 0, 1, 1}, estimate(rewards).advantages(), TOLERANCE);
  }

  @Test
  void allRewardsOfATurnCount() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{2, 3, 0, -1, 1}}, new int[][] {{1, 1, 0, 1, 1}})
            .withDiscounts(.9, 1);
    assertArrayEquals(new double[] {5, 5, 0, 0, 0}, estimate(rewards).returns(), TOLERANCE);
  }
}
