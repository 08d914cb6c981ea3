package roll.estimator.reinforce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Set;
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

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SCALE);
  }

  @Test
  void withoutDiscountEveryTokenHasTheRewardToGo() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, .5, 0, 0, 1}}, new int[][] {{0, 1, 1, 0, 1, 1}});
    assertArrayEquals(
        new double[] {0, 1.5, 1.5, 0, 1, 1}, estimate(rewards).advantages(), TOLERANCE);
  }

  @Test
  void theDiscountActsOnceAToken() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 1}, {0, .5}}, new int[][] {{1, 1, 1}, {1, 1}})
            .withDiscounts(.9, 1);
    Advantages found = estimate(rewards);
    assertArrayEquals(new double[] {.81, .9, 1, .45, .5}, found.advantages(), TOLERANCE);
    assertArrayEquals(found.advantages(), found.returns());
  }

  /** The "skip" variant of two turns: [.5, ·, 1], where a reset would give [0, ·, 1]. */
  @Test
  void theDiscountDoesNotActOnWhatTheEnvironmentWrote() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 1}}, new int[][] {{1, 0, 1}}).withDiscounts(.5, 1);
    assertArrayEquals(new double[] {.5, 0, 1}, estimate(rewards).advantages(), TOLERANCE);
  }
}
