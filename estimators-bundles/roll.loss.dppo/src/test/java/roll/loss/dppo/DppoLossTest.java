package roll.loss.dppo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.math.LossRows;
import roll.math.TokenWeights;
import roll.testkit.LossContract;

/**
 * Numbers by hand, from {@code verl-project/verl@1dda039b:verl/trainer/ppo/core_algos.py#L1379}
 * (tv) and {@code #L1460} (kl).
 */
class DppoLossTest extends LossContract {
  /** The second token rose too far and the fifth fell too far. */
  private static final double[] DROPPED = {
    -1 / 7.0, 0, -Math.exp(-.5) / 7, 0, Math.exp(1.7) / 7, 0, Math.exp(.1) / 7, 1 / 7.0
  };

  private static final double[] WHOLE = {
    -1 / 7.0,
    -Math.exp(.3) / 7,
    -Math.exp(-.5) / 7,
    0,
    Math.exp(1.7) / 7,
    Math.exp(-.5) / 7,
    Math.exp(.1) / 7,
    1 / 7.0
  };

  @Override
  protected PolicyLoss loss() {
    return new DppoLoss();
  }

  @Override
  protected ToDoubleFunction<LossInput> surrogate(LossInput at) {
    double[] slopes = new double[at.layout().size()];
    for (int t = 0; t < slopes.length; t++) {
      double now = at.policy().logProbs()[t];
      double old = at.policy().oldLogProbs()[t];
      double move = Math.exp(now) - Math.exp(old);
      double advantage = at.advantages()[t];
      boolean kept =
          advantage > 0 ? move <= at.settings().clipHigh() : move >= -at.settings().clipLow();
      slopes[t] = kept ? -Math.min(Math.exp(now - old), 20) * advantage : 0;
    }
    return now -> sum(now, TokenWeights.of(at), t -> slopes[t] * now.policy().logProbs()[t]);
  }

  /**
   * Moves of the probability 0, .1287, −.1447 | .6055, −.0532, .0142, 0, of which rises count with
   * A = 1 and falls with A = −1. Losses 1, 0, .909796 | −1.642184, 0, −2.099825, −2.
   */
  @Test
  void aBoundOfTheTotalVariation() {
    LossResult result = evaluate(example(.05, .1, Map.of()));
    assertEquals(-3.832213 / 7, result.loss(), 2e-7);
    assertArrayEquals(DROPPED, result.logProbGradient(), 1e-12);
    assertEquals(2 / 7.0, result.metrics().getOrDefault("actor/clipfrac", -1.0), 1e-12);
    assertArrayEquals(WHOLE, evaluate(example(.06, .13, Map.of())).logProbGradient(), 1e-12);
  }

  /** Divergences 0, .0335, .0536 | .8117, .0160, .0008, 0. */
  @Test
  void aBoundOfTheDivergence() {
    Map<String, Object> kl = Map.of("divergence", "kl");
    assertArrayEquals(DROPPED, evaluate(example(.0159, .0335, kl)).logProbGradient(), 1e-12);
    assertArrayEquals(WHOLE, evaluate(example(.0161, .0336, kl)).logProbGradient(), 1e-12);
  }

  /** From .9 to 1 the divergence is −.9 · .1053605 + .1 · ln((.1 + 1e−8) / 1e−8) = 1.516987. */
  @Test
  void certaintyHasAFiniteDivergence() {
    assertEquals(-1 / .9, certain(1.517), 1e-12);
    assertEquals(0, certain(1.5169));
  }

  private double certain(double bound) {
    LossSettings settings =
        new LossSettings("test", bound, bound, null, 0, 0, Aggregation.TOKEN_MEAN, RatioType.TOKEN);
    double[][] old = {{Math.log(.9)}};
    int[][] mask = {{1}};
    return evaluate(
            LossRows.of(
                new double[][] {{0}},
                old,
                mask,
                new double[][] {{1}},
                settings.withArgs(Map.of("divergence", "kl"))))
        .logProbGradient()[0];
  }

  /** Among the ratios 1, .61 | 5.47, 1.11, 1 that count, one is above 2. */
  @Test
  void weightsHaveABound() {
    LossResult result = evaluate(example(.05, .1, Map.of("clip_ratio_c", 2)));
    double[] expected = DROPPED.clone();
    expected[4] = 2 / 7.0;
    assertArrayEquals(expected, result.logProbGradient(), 1e-12);
    assertEquals(1 / 7.0, result.metrics().getOrDefault("actor/pg_clipfrac_lower", -1.0), 1e-12);
  }

  private static LossInput example(double low, double high, Map<String, Object> args) {
    return LossExample.of(
        new LossSettings("test", low, high, null, 0, 0, Aggregation.TOKEN_MEAN, RatioType.TOKEN)
            .withArgs(args));
  }
}
