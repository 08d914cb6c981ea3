package roll.loss.kl_cov;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

class KlCovLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new KlCovLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  @Override
  protected Map<String, Object> args() {
    return Map.of("kl_cov_ratio", .1);
  }

  /**
   * Covariances .473, .816, −.098 | −.955, .931, .416, .502: the fifth, with ℓ − ℓ_old = −.5, is
   * pulled first, then the second, with .3.
   */
  @Test
  void pullsTokensOfTheHighestCovariance() {
    double free =
        -1 - Math.exp(.3) - Math.exp(-.5) + Math.exp(1.7) + Math.exp(-.5) + Math.exp(.1) + 1;
    assertEquals((free + .1 * .5) / 7, whole(Map.of()).loss(), 1e-12);
    assertEquals((Math.exp(-.5) - .1) / 7, whole(Map.of()).logProbGradient()[5], 1e-12);
    assertEquals(
        (free + .5 + .3) / 7, whole(Map.of("kl_cov_ratio", .3, "ppo_kl_coef", 1)).loss(), 1e-12);
    assertEquals(3.1 / 7, whole(Map.of()).metrics().getOrDefault("actor/ppo_kl_abs", -1.0), 1e-12);
  }

  private LossResult whole(Map<String, Object> args) {
    LossInput input = LossExample.of(LossExample.settings("kl_cov").withArgs(args));
    return loss().evaluateWhole(input, LossOptions.of(loss(), input.settings()), new long[] {1, 2});
  }
}
