package roll.loss.sapo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import roll.api.loss.LossInput;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.math.LossRows;
import roll.testkit.GoldenLosses;
import roll.testkit.LossContract;

class SapoLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new SapoLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  @Test
  void gatesSoftly() {
    assertEquals(.157834, evaluate(LossExample.of(LossExample.settings("sapo"))).loss(), 2e-6);
  }

  /** At ρ = 1 the gate is a half: the gradient is that of the policy gradient. */
  @Test
  void startsAsThePolicyGradient() {
    double[][] same = {{-1}};
    LossInput input =
        LossRows.of(
            same, same, new int[][] {{1}}, new double[][] {{3}}, LossExample.settings("sapo"));
    assertEquals(-6, evaluate(input).loss(), 1e-12);
    assertEquals(-3, evaluate(input).logProbGradient()[0], 1e-12);
  }

  @Test
  void refusesAFlatGate() {
    LossInput flat = LossExample.of(LossExample.settings("sapo").withArgs(Map.of("tau_neg", 0)));
    assertEquals(
        "actor_train.pg_variant_args.tau_neg: expected a number above 0, found '0'",
        userError(() -> evaluate(flat)));
  }
}
