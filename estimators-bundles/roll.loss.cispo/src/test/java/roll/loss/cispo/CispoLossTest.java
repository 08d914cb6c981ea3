package roll.loss.cispo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.math.TokenWeights;
import roll.testkit.GoldenLosses;
import roll.testkit.LossContract;

class CispoLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new CispoLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  @Override
  protected ToDoubleFunction<LossInput> surrogate(LossInput at) {
    double[] ratios = ratios(at);
    return now ->
        sum(
            now,
            TokenWeights.of(at),
            t -> -Math.clamp(ratios[t], .9, 1.1) * at.advantages()[t] * now.policy().logProbs()[t]);
  }

  /** The default bounds are ROLL's .1; verl takes those of PPO, here .2. */
  @Test
  void holdsTheClippedRatio() {
    assertEquals(-.507143, evaluate(example(Map.of())).loss(), 2e-6);
    LossInput verl = example(Map.of("cispo_epsilon_low", .2, "cispo_epsilon_high", .2));
    LossResult result = evaluate(verl);
    assertEquals(-.488546, result.loss(), 2e-6);
    assertArrayEquals(
        new double[] {-1 / 7.0, -1.2 / 7, -.8 / 7, 0, 1.2 / 7, .8 / 7, Math.exp(.1) / 7, 1 / 7.0},
        result.logProbGradient(),
        1e-12);
    assertEquals(4 / 7.0, result.metrics().getOrDefault("actor/cispo_total_clipfrac", -1.0), 1e-12);
  }

  /** Ratios 1, 1.35, .61 | 5.5, .61, 1.11, 1: the second and the fifth are masked. */
  @Test
  void theUnifiedMaskDropsWhatPpoWouldClip() {
    double[] gradient =
        evaluate(
                example(
                    Map.of(
                        "cispo_use_unified_mask", true,
                        "cispo_epsilon_low", .2,
                        "cispo_epsilon_high", .2)))
            .logProbGradient();
    assertArrayEquals(
        new double[] {-1 / 7.0, 0, -.8 / 7, 0, 1.2 / 7, 0, Math.exp(.1) / 7, 1 / 7.0},
        gradient,
        1e-12);
  }

  /** A ratio is above 0, so verl's example, 10, bounds it from above alone: .61 stays .61. */
  @Test
  void fromOneOnThereIsNoLowerBound() {
    double[] gradient =
        evaluate(example(Map.of("cispo_epsilon_low", 10, "cispo_epsilon_high", .2)))
            .logProbGradient();
    double down = Math.exp(-.5);
    assertArrayEquals(
        new double[] {
          -1 / 7.0, -1.2 / 7, -down / 7, 0, 1.2 / 7, down / 7, Math.exp(.1) / 7, 1 / 7.0
        },
        gradient,
        1e-12);
    assertArrayEquals(
        gradient,
        evaluate(example(Map.of("cispo_epsilon_low", 1, "cispo_epsilon_high", .2)))
            .logProbGradient());
  }

  private static LossInput example(Map<String, Object> args) {
    return LossExample.of(LossExample.settings("test").withArgs(args));
  }
}
