package roll.loss.gmpo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.testkit.GoldenLosses;
import roll.testkit.LossContract;

class GmpoLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new GmpoLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  /** Log-ratios 0, .2 of .3, −.5 | 1.7, −.2 of −.5, .1, 0: (−e^−.1 + e^.4) / 2. */
  @Test
  void clipsTokensAndMultipliesThem() {
    LossResult result = evaluate(LossExample.of(LossExample.settings("gmpo")));
    assertEquals(.293494, result.loss(), 2e-6);
    double good = -.904837 / 6;
    double bad = 1.491825 / 8;
    assertArrayEquals(
        new double[] {good, 0, good, 0, bad, 0, bad, bad}, result.logProbGradient(), 2e-6);
  }
}
