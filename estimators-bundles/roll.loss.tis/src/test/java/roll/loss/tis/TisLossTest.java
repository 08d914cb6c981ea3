package roll.loss.tis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.math.TokenWeights;
import roll.testkit.LossContract;

class TisLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new TisLoss();
  }

  @Override
  protected ToDoubleFunction<LossInput> surrogate(LossInput at) {
    double[] ratios = ratios(at);
    return now ->
        sum(
            now,
            TokenWeights.of(at),
            t -> -Math.min(ratios[t], 1) * at.advantages()[t] * now.policy().logProbs()[t]);
  }

  /** Weights 1, 1 of 1.35, .61 | 1 of 5.5, .61, 1 of 1.11, 1. */
  @Test
  void truncatesTheRatio() {
    double low = Math.exp(-.5);
    double sum = 1 + .7 + 1.5 * low - .3 - 2.5 * low - 1.9 - 2;
    LossResult result = evaluate(example(Map.of()));
    assertEquals(sum / 7, result.loss(), 1e-12);
    assertEquals(3 / 7.0, result.metrics().getOrDefault("actor/tis_upper_clipfrac", -1.0), 1e-12);
    assertEquals(
        -1.2 / 7, evaluate(example(Map.of("tis_upper_bound", 1.2))).logProbGradient()[1], 1e-12);
  }

  @Test
  void refusesBoundsThatCross() {
    LossInput crossed = example(Map.of("tis_lower_bound", 2));
    assertEquals(
        "actor_train.pg_variant_args.tis_upper_bound: expected a number of at least 2.0,"
            + " found '1.0'",
        userError(() -> evaluate(crossed)));
  }

  private static LossInput example(Map<String, Object> args) {
    return LossExample.of(LossExample.settings("test").withArgs(args));
  }
}
