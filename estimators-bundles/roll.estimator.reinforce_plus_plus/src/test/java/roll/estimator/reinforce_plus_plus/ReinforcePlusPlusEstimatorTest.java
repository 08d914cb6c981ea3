package roll.estimator.reinforce_plus_plus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.TokenRewards;
import roll.math.Whitening;
import roll.testkit.EstimatorContract;

/**
 * Numbers of {@code compute_reinforce_plus_plus_outcome_advantage} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L583} in double precision. What {@code
 * skip} and {@code carry} give is worked out by hand.
 */
class ReinforcePlusPlusEstimatorTest extends EstimatorContract {
  @Override
  protected AdvantageEstimator estimator() {
    return new ReinforcePlusPlusEstimator();
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SCALE);
  }

  @Test
  void withoutDiscount() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 1}, {0, 0, 0}}, new int[][] {{1, 1, 1}, {1, 1, 0}});
    assertArrayEquals(new double[] {1, 1, 1, 0, 0, 0}, estimate(rewards).returns(), TOLERANCE);
    assertArrayEquals(
        new double[] {.730297, .730297, .730297, -1.095445, -1.095445, 0},
        whitened(rewards),
        TOLERANCE);
  }

  @Test
  void withDiscount() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 1}, {0, .5, 0}}, new int[][] {{1, 1, 1}, {1, 1, 0}})
            .withDiscounts(.9, 1);
    assertArrayEquals(
        new double[] {.81, .9, 1, .45, .5, 0}, estimate(rewards).returns(), TOLERANCE);
    assertArrayEquals(
        new double[] {.318779, .686601, 1.095293, -1.152509, -.948164, 0},
        whitened(rewards),
        TOLERANCE);
  }

  @Test
  void threeWaysOverAnObservation() {
    TokenRewards rewards =
        TokenRewards.of(new double[][] {{0, 0, 1}}, new int[][] {{1, 0, 1}}).withDiscounts(.5, 1);
    assertArrayEquals(new double[] {.5, 0, 1}, estimate(rewards).returns(), TOLERANCE);
    assertArrayEquals(new double[] {.5, 0, 1}, estimate(rewards, "skip"), TOLERANCE);
    assertArrayEquals(new double[] {.25, 0, 1}, estimate(rewards, "carry"), TOLERANCE);
    assertArrayEquals(new double[] {0, 0, 1}, estimate(rewards, "reset"), TOLERANCE);
  }

  @Test
  void twoTurnsWithoutDiscount() {
    TokenRewards rewards =
        TokenRewards.of(
            new double[][] {{0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, .2}},
            new int[][] {{1, 1, 0, 1, 1, 0}, {1, 0, 0, 1, 1, 1}});
    double[] reset = estimate(rewards, "reset");
    assertArrayEquals(new double[] {0, 0, 0, 1, 1, 0, 0, 0, 0, .2, .2, .2}, reset, TOLERANCE);
    Whitening.whiten(reset, rewards.layout().mask());
    assertArrayEquals(
        new double[] {
          -.761513, -.761513, 0, 1.581604, 1.581604, 0, -.761513, 0, 0, -.292890, -.292890, -.292890
        },
        reset,
        TOLERANCE);
    assertArrayEquals(
        estimate(rewards, "skip"), estimate(rewards, "carry"), "without discount they agree");
    double a = .935414;
    assertArrayEquals(
        new double[] {a, a, 0, a, a, 0, -a, 0, 0, -a, -a, -a}, whitened(rewards), TOLERANCE);
  }

  private double[] estimate(TokenRewards rewards, String way) {
    return estimate(rewards, Map.of("multi_turn", way)).advantages();
  }
}
