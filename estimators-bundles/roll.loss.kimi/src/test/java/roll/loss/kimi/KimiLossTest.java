package roll.loss.kimi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.testkit.LossContract;

class KimiLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new KimiLoss();
  }

  /** −.5 of the policy gradient and .05 of (.09 + .25 + 2.89 + .25 + .01) / 7. */
  @Test
  void pullsToTheOldPolicy() {
    LossResult result = evaluate(LossExample.of(LossExample.settings("kimi15")));
    assertEquals(-.5 + .05 * 3.49 / 7, result.loss(), 1e-12);
    assertEquals((1 + .1 * 1.7) / 7, result.logProbGradient()[4], 1e-12);
  }
}
