package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.testkit.EstimatorContract;

/** The contract of all estimators, and numbers computed by hand. */
class {{className}}EstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new {{className}}Estimator();
  }

  /** Shifted outcomes give equal advantages, doubled rewards double them. */
  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE);
  }

  /** Outcomes 1, 0, 4 have the median 1; 2 and 5 have 3.5. */
  @Test
  void takesTheMedianOff() {
    TokenRewards rewards =
        TokenRewards.of(
                new double[][] {{1}, {0}, {4}, {2}, {5}}, new int[][] {{1}, {1}, {1}, {1}, {1}})
            .withGroups(0, 0, 0, 1, 1);
    assertArrayEquals(
        new double[] {0, -1, 3, -1.5, 1.5}, estimate(rewards).advantages(), 1e-12);
    assertArrayEquals(
        new double[] {0, -2, 6, -3, 3},
        estimate(rewards, Map.of("scale", 2)).advantages(),
        1e-12);
  }
}
