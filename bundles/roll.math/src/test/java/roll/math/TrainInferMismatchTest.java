package roll.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.data.Layout;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Divergence;
import roll.api.loss.TrainInferCorrection.Estimate;
import roll.api.loss.TrainInferCorrection.Filter;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.loss.TrainInferCorrection.Result;
import roll.api.loss.TrainInferCorrection.Weight;

class TrainInferMismatchTest {
  /**
   * Log-ratios for {@code compute_rollout_correction_weights} of {@code
   * volcengine/verl@b178a3c:verl/trainer/ppo/rollout_corr_helper.py#L481}; the second sample has
   * two turns, with an observation between them.
   */
  private static final double[] LOG_RATIOS = {.1, 1, -.5, -1, .2, Double.NaN, .3, 0};

  private static final int[] OFFSETS = {0, 3, 8};
  private static final int[] TURNS = {0, 0, 0, 0, 0, -1, 1, 1};
  private static final boolean[] MASK = {true, true, true, true, true, false, true, true};

  @Test
  void weighsTokensAsVerl() {
    double[] weights = evaluate(new Weight(Level.TOKEN, 2, false)).weights();
    double[] expected = {1.105171, 2, .606531, .367879, 1.221403, 1, 1.349859, 1};
    assertArrayEquals(expected, weights, 2e-6);
    assertEquals(
        1 / 7.0,
        metric(evaluate(new Weight(Level.TOKEN, 2, false)), "actor/is_weight_clipfrac"),
        1e-12);
  }

  /** {@code verl-project/verl@1dda039b:verl/trainer/ppo/rollout_corr_helper.py}, with "0.5_1.3". */
  @Test
  void weightsOutOfBoundsAreZero() {
    Result result = evaluate(new Weight(Level.TOKEN, .5, 1.3, false));
    double[] expected = {1.105171, 0, .606531, 0, 1.221403, 1, 0, 1};
    assertArrayEquals(expected, result.weights(), 2e-6);
    assertArrayEquals(MASK, result.kept());
    assertEquals(3 / 7.0, metric(result, "actor/is_weight_clipfrac"), 1e-12);
    double mean = (1.105171 + .606531 + 1.221403 + 1) / 7;
    assertEquals(1 / mean, evaluate(new Weight(Level.TOKEN, .5, 1.3, true)).weights()[7], 2e-6);
  }

  /** Means .2 | −.4 and .15 by turn, −.125 by sample; sums .6 and −.5. */
  @Test
  void weighsTurnsAndSamples() {
    double first = Math.exp(.2);
    assertWeights(Level.SEGMENT, first, Math.exp(-.4), Math.exp(.15));
    assertWeights(Level.GEOMETRIC, first, Math.exp(-.125), Math.exp(-.125));
    assertWeights(Level.SEQUENCE, Math.exp(.6), Math.exp(-.5), Math.exp(-.5));
  }

  private static void assertWeights(Level level, double first, double second, double third) {
    Result result = evaluate(new Weight(level, 100, false));
    double[] expected = {first, first, first, second, second, 1, third, third};
    double[] weights = result.weights();
    weights[5] = 1; // masked
    assertArrayEquals(expected, weights, 1e-12);
    String name = "actor/train_infer_ratio_" + level.name().toLowerCase(java.util.Locale.ROOT);
    double mean = (first + (second + third) / 2) / 2;
    assertEquals(mean, metric(result, name + "_mean"), 1e-12);
  }

  /** Over tokens the weights then have the mean 1; those of samples over samples. */
  @Test
  void normalizesByTheMeanOfTheBatch() {
    double[] byToken = evaluate(new Weight(Level.TOKEN, 2, true)).weights();
    double sum = Arrays.stream(byToken).sum() - byToken[5];
    assertEquals(7, sum, 1e-12);
    double[] bySample = evaluate(new Weight(Level.SEQUENCE, 100, true)).weights();
    assertEquals(2, bySample[0] + bySample[3], 1e-12);
  }

  @Test
  void filtersTokensAndSamples() {
    Range ratio = new Range(.8, 1.3);
    Result byToken = filter(new Filter(Level.TOKEN, ratio, null, null));
    assertArrayEquals(
        new boolean[] {true, false, false, false, true, false, false, true}, byToken.kept());
    assertEquals(3 / 7.0, metric(byToken, "actor/train_infer_token_ratio_mask_mean"), 1e-12);
    assertEquals(3 / 7.0, metric(byToken, "actor/train_infer_final_mask_mean"), 1e-12);
    assertArrayEquals(
        new boolean[] {true, true, true, false, false, false, true, true},
        filter(new Filter(Level.SEGMENT, ratio, null, null)).kept());
    assertArrayEquals(
        new boolean[] {true, true, true, true, true, false, true, true},
        filter(new Filter(Level.GEOMETRIC, ratio, null, null)).kept());
    assertArrayEquals(new boolean[8], filter(new Filter(Level.SEQUENCE, ratio, null, null)).kept());
  }

  /** Probabilities differ by .1, not more, in the first sample and by .05 in the second. */
  @Test
  void filtersByDifferencesOfProbabilities() {
    double[] old = {Math.log(.5), Math.log(.25)};
    double[] sampled = {Math.log(.4), Math.log(.3)};
    int[] offsets = {0, 1, 2};
    boolean[] mask = {true, true};
    Filter filter = new Filter(Level.SEQUENCE, null, new Range(-.06, .06), null);
    Result result =
        TrainInferMismatch.corrected(
            new TrainInferCorrection(null, List.of(filter)),
            new Layout(offsets, new int[2], mask),
            old,
            sampled);
    assertArrayEquals(new boolean[] {false, true}, result.kept());
    assertArrayEquals(new double[] {1, 1}, result.weights());
    assertEquals(.025, metric(result, "actor/train_infer_diff_token_mean"), 1e-12);
    assertEquals(.5, metric(result, "actor/train_infer_sequence_diff_mask_mean"), 1e-12);
  }

  /** k2 .005 .5 .125 | .5 .02 .045 0; k3 .005171 .718282 .106531 | .367879 .021403 .049859 0. */
  @Test
  void filtersByDivergencesAsVerl() {
    assertKept(Level.TOKEN, Estimate.K2, .1, true, false, false, false, true, true, true);
    assertKept(Level.TOKEN, Estimate.K3, .2, true, false, true, false, true, true, true);
    assertKept(Level.SEGMENT, Estimate.K2, .2, false, false, false, false, false, true, true);
    assertKept(Level.GEOMETRIC, Estimate.K2, .2, false, false, false, true, true, true, true);
    assertKept(Level.SEQUENCE, Estimate.K3, .5, false, false, false, true, true, true, true);
    assertKept(Level.MAX, Estimate.K3, .4, false, false, false, true, true, true, true);
    assertKept(Level.MAX, Estimate.K2, .49, false, false, false, false, false, false, false);
  }

  private static void assertKept(Level level, Estimate kind, double bound, boolean... kept) {
    Result result = filter(new Filter(level, null, null, new Divergence(kind, bound)));
    boolean[] trained = new boolean[MASK.length];
    int share = 0;
    for (int t = 0, i = 0; t < MASK.length; t++) {
      trained[t] = MASK[t] && kept[i++];
      share += trained[t] ? 1 : 0;
    }
    assertArrayEquals(trained, result.kept(), level + " " + kind);
    String name = "actor/train_infer_%s_%s_mask_mean".formatted(level, kind);
    assertEquals(share / 7.0, metric(result, name.toLowerCase(java.util.Locale.ROOT)), 1e-12);
  }

  @Test
  void withoutTokensThereIsNothingToCorrect() {
    double[] nothing = {Double.NaN};
    Result result =
        TrainInferMismatch.corrected(
            new TrainInferCorrection(new Weight(Level.SEQUENCE, 2, true), List.of()),
            Layout.of(new int[] {0, 1}, new int[] {-1}),
            nothing,
            nothing);
    result.metrics().forEach((name, value) -> assertEquals(0, value, name));
  }

  private static Result evaluate(Weight weight) {
    return TrainInferMismatch.corrected(
        new TrainInferCorrection(weight, List.of()),
        new Layout(OFFSETS, TURNS, MASK),
        LOG_RATIOS,
        new double[8]);
  }

  private static Result filter(Filter filter) {
    return TrainInferMismatch.corrected(
        new TrainInferCorrection(null, List.of(filter)),
        new Layout(OFFSETS, TURNS, MASK),
        LOG_RATIOS,
        new double[8]);
  }

  private static double metric(Result result, String name) {
    return result.metrics().getOrDefault(name, Double.NaN);
  }
}
