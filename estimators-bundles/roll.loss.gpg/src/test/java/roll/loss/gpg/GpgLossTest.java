package roll.loss.gpg;

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

class GpgLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new GpgLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  @Test
  void weighsLogProbsByAdvantages() {
    LossResult result = evaluate(LossExample.of(LossExample.settings("gpg")));
    assertEquals(-.5, result.loss(), 2e-6);
    double each = 1 / 7.0;
    assertArrayEquals(
        new double[] {-each, -each, -each, 0, each, each, each, each},
        result.logProbGradient(),
        1e-12);
  }
}
