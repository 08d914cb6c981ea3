package roll.loss.gspo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.math.LogRatios;
import roll.math.LossExample;
import roll.math.TokenWeights;
import roll.testkit.GoldenLosses;
import roll.testkit.LossContract;

class GspoLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new GspoLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  /** The ratio of the other policy held, each token's share moves with its own log-prob. */
  @Override
  protected ToDoubleFunction<LossInput> surrogate(LossInput at) {
    double[] logRatios = LogRatios.sampleMeans(at.layout(), LogRatios.logRatios(at));
    double[] weights =
        TokenWeights.of(at.layout(), Aggregation.SEQ_MEAN_TOKEN_MEAN, at.denominators());
    return now ->
        sum(
            now,
            weights,
            t -> {
              double ratio = Math.exp(logRatios[t]);
              double advantage = at.advantages()[t];
              boolean clipped = advantage > 0 ? ratio > 1.28 : ratio < .8;
              return clipped ? 0 : -ratio * advantage * now.policy().logProbs()[t];
            });
  }

  /** Ratios e^(−.2/3) = .935507 and e^(1.3/4) = 1.384031: (−.935507 + 1.384031) / 2. */
  @Test
  void clipsOneRatioASample() {
    LossResult result = evaluate(LossExample.of(LossExample.settings("gspo")));
    assertEquals(.224262, result.loss(), 2e-6);
    double good = -.935507 / 6;
    double bad = 1.384031 / 8;
    assertArrayEquals(
        new double[] {good, good, good, 0, bad, bad, bad, bad}, result.logProbGradient(), 2e-6);
    assertEquals(0, result.metrics().getOrDefault("actor/clipfrac", -1.0));
  }

  /** The mean of means, whatever {@code loss_agg_mode} says: that is what the loss is. */
  @Test
  void isAlwaysTheMeanOverSamples() {
    LossSettings other =
        new LossSettings(
            "gspo", .2, .2, null, 0, 0, Aggregation.SEQ_MEAN_TOKEN_SUM, RatioType.SEGMENT);
    assertEquals(.224262, evaluate(LossExample.of(other)).loss(), 2e-6);
  }

  /** If all tokens of a sample have the same advantage, the gradient is the derivative. */
  @Test
  void withOneAdvantageASampleItIsTheDerivative() {
    LossInput input = LossExample.of(LossExample.settings("gspo"));
    double[] gradient = evaluate(input).logProbGradient();
    for (int t : new int[] {0, 2, 4, 7}) {
      double here = input.policy().logProbs()[t];
      input.policy().logProbs()[t] = here + 1e-6;
      double above = evaluate(input).loss();
      input.policy().logProbs()[t] = here - 1e-6;
      double below = evaluate(input).loss();
      input.policy().logProbs()[t] = here;
      assertEquals((above - below) / 2e-6, gradient[t], 1e-8);
    }
  }
}
