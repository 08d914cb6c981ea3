package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.math.LossExample;
import roll.api.loss.LossInput;
import roll.api.loss.PolicyLoss;
import roll.testkit.LossContract;

/** The contract of all losses, including finite differences, and a number computed by hand. */
class {{className}}LossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new {{className}}Loss();
  }

  /**
   * The example has log-probs -1, -.7, -1.5 with advantage 1 and -.3, -2.5, -1.9, -2 with -1: the
   * mean of 3.2 and of -6.7 times the weight over seven tokens.
   */
  @Test
  void weighsWhatWentBadly() {
    assertEquals((3.2 - 6.7 * 0.5) / 7, evaluate(example(Map.of())).loss(), 1e-12);
    assertEquals(3.2 / 7, evaluate(example(Map.of("negative_weight", 0))).loss(), 1e-12);
  }

  private static LossInput example(Map<String, Object> args) {
    return LossExample.of(LossExample.settings("{{projectName}}").withArgs(args));
  }
}
