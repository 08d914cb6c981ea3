package roll.loss.clip_cov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.runtime.option.LossOptions;
import roll.testkit.GoldenLosses;
import roll.testkit.LossContract;

class ClipCovLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new ClipCovLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  @Override
  protected Map<String, Object> args() {
    return Map.of("clip_cov_ratio", .1, "clip_cov_lb", .1, "clip_cov_ub", 2);
  }

  /**
   * Covariances .473, .816, −.098 | −.955, .931, .416, .502. Between .45 and .6 are the first and
   * the last, and both are drawn where the share is large enough.
   */
  @Test
  void dropsTokensOfHighCovariance() {
    Map<String, Object> args = Map.of("clip_cov_lb", .45, "clip_cov_ub", .6, "clip_cov_ratio", .3);
    LossResult result = whole(args, 1);
    assertEquals(
        (-1.2 - Math.exp(-.5) + Math.exp(1.7) + .8 + Math.exp(.1)) / 7, result.loss(), 1e-12);
    assertEquals(2 / 7.0, result.metrics().getOrDefault("actor/clipfrac", -1.0), 1e-12);
    assertEquals(0, result.logProbGradient()[0]);
    assertEquals(0, result.logProbGradient()[7]);
  }

  /** At least one is drawn, and the keys decide which. */
  @Test
  void theKeysDrawTheTokens() {
    Map<String, Object> args = Map.of("clip_cov_lb", .45, "clip_cov_ub", .6);
    boolean first = false;
    boolean last = false;
    for (long key = 0; key < 50; key++) {
      double[] gradient = whole(args, key).logProbGradient();
      assertTrue(gradient[0] == 0 ^ gradient[7] == 0);
      assertArrayEquals(gradient, whole(args, key).logProbGradient());
      first |= gradient[0] == 0;
      last |= gradient[7] == 0;
    }
    assertTrue(first && last);
  }

  /** No token lies between verl's default bounds, and .931 is clipped: PPO without dual clip. */
  @Test
  void withoutCandidatesItIsPpo() {
    double ppo = (3.098640 + 5.473947 - 3) / 7;
    assertEquals(ppo, whole(Map.of(), 7).loss(), 2e-6);
    assertEquals(ppo, whole(Map.of("clip_cov_lb", .9, "clip_cov_ub", 2), 7).loss(), 2e-6);
  }

  private LossResult whole(Map<String, Object> args, long key) {
    LossInput input = LossExample.of(LossExample.settings("clip_cov").withArgs(args));
    return loss()
        .evaluateWhole(input, LossOptions.of(loss(), input.settings()), new long[] {key, key + 1});
  }
}
