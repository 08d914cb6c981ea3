package roll.loss.ppo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static roll.testkit.UserErrors.userError;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import roll.api.data.Batch;
import roll.api.data.ColumnMap;
import roll.api.data.Layout;
import roll.api.estimator.KlPenalty;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.api.loss.TrainInferCorrection;
import roll.testkit.GoldenLosses;
import roll.testkit.LossContract;

class PpoLossTest extends LossContract {
  /**
   * A batch for {@code compute_policy_loss_vanilla} of {@code
   * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L1160}: A = +1 in the first row, whose
   * last token the policy did not write; −1 in the second.
   */
  private static final double[] LOG_PROBS = {-1, -.7, -1.5, -.9, -.3, -2.5, -1.9, -2};

  private static final double[] OLD = {-1, -1, -1, -1, -2, -2, -2, -2};
  private static final double[] ADVANTAGES = {1, 1, 1, 1, -1, -1, -1, -1};
  private static final boolean[] MASK = {true, true, true, false, true, true, true, true};

  @Override
  protected PolicyLoss loss() {
    return new PpoLoss();
  }

  @TestFactory
  Stream<DynamicTest> verlsNumbers() {
    return GoldenLosses.of(getClass(), loss());
  }

  /** Token losses −1, −1.2, −.606531 | 3 instead of 5.473947, .8, 1.105171, 1. */
  @Test
  void clipsAsVerl() {
    LossResult result = verl(settings(.2, .2, 3.0, 0, 0), null);
    assertEquals(.442663, result.loss(), 2e-6);
    assertEquals(1 / 7.0, metric(result, "actor/pg_clipfrac_lower"), 1e-12);
    assertEquals(.442663, metric(result, "actor/pg_loss"), 2e-6);
    assertEquals(2 / 7.0, metric(result, "actor/clipfrac"), 1e-12);
    assertEquals(.157143, metric(result, "actor/policykl"), 2e-6);
    assertEquals(.431234, verl(settings(.2, .28, 3.0, 0, 0), null).loss(), 2e-6);
    assertEquals(.796084, verl(settings(.2, .2, 10.0, 0, 0), null).loss(), 2e-6);
  }

  @Test
  void measuresRatios() {
    LossResult result = verl(settings(.2, .2, 3.0, 0, 0), null);
    assertEquals(Math.exp(1.7), metric(result, "actor/ratio_max"), 1e-12);
    assertEquals(Math.exp(-.5), metric(result, "actor/ratio_min"), 1e-12);
    double sum =
        1 + Math.exp(.3) + Math.exp(-.5) + Math.exp(1.7) + Math.exp(-.5) + Math.exp(.1) + 1;
    assertEquals(sum / 7, metric(result, "actor/ratio_mean"), 1e-12);
    assertEquals(4 / 7.0, metric(result, "actor/ppo_ratio_clipfrac"), 1e-12);
    assertEquals(2 / 7.0, metric(result, "actor/ppo_ratio_high_clipfrac"), 1e-12);
    assertEquals(2 / 7.0, metric(result, "actor/ppo_ratio_low_clipfrac"), 1e-12);
    double squares = (.09 + .25 + 2.89 + .25 + .01) / 2;
    assertEquals(squares / 7, metric(result, "actor/approxkl"), 1e-12);
  }

  @Test
  void addsKlAndSubtractsEntropy() {
    double[] reference = DoubleStream.of(LOG_PROBS).map(l -> l - .3).toArray();
    LossResult result = verl(settings(.2, .2, 3.0, .001, .001), reference);
    assertEquals(.0408182, metric(result, "actor/kl_loss"), 1e-7);
    assertEquals(.393, metric(result, "actor/entropy"), 1e-12);
    assertEquals(.442663 + .001 * .0408182 - .000393, result.loss(), 2e-6);
    assertEquals(result.loss(), metric(result, "actor/total_loss"));
    assertThrows(NullPointerException.class, () -> verl(settings(.2, .2, 3.0, .001, 0), null));
  }

  /** verl's row of low_var_kl, clamped at 10. */
  @Test
  void estimatesKlByK3() {
    double[] logProbs = {-1, -.5, -2, -30, -.1, -3, -.1};
    double[] reference = {-1.2, -.3, -2, -.5, -25, -.5, -3.1};
    double[] expected = {.018731, .021403, 0, 10, 10, 8.682494, 2.049787};
    for (int t = 0; t < expected.length; t++) {
      LossInput input =
          single(logProbs[t], logProbs[t], reference[t], 0, settings(.2, .2, null, 1, 0));
      assertEquals(expected[t], evaluate(input).loss(), 2e-6);
    }
  }

  /** verl's c as an option, which comes before ROLL's switch. */
  @Test
  void theDualClipHasItsOwnConstant() {
    LossSettings roll = settings(.2, .2, 1.4, 0, 0);
    assertEquals(
        .442663, evaluate(verlsBatch(roll.withArgs(Map.of("clip_ratio_c", 3.0)))).loss(), 2e-6);
    assertEquals(
        "actor_train.pg_variant_args.clip_ratio_c: expected a number above 1, found '1'",
        userError(() -> evaluate(verlsBatch(roll.withArgs(Map.of("clip_ratio_c", 1))))));
  }

  private static LossInput verlsBatch(LossSettings settings) {
    return input(new int[] {0, 4, 8}, 0, 8, null, settings);
  }

  /** verl's totals: differences from the reference −.5 −.3 0 | .1 .2 .2 .7, entropy .393. */
  @Test
  void addsEveryKindOfKl() {
    double[] reference = {-.5, -.4, -1.5, Double.NaN, -.4, -2.7, -2.1, -2.7};
    checkKl(reference, "k1", .057143, .442327);
    checkKl(reference, "kl", .057143, .442327);
    checkKl(reference, "k2", .065714, .442336);
    checkKl(reference, "mse", .065714, .442336);
    checkKl(reference, "k3", .062495, .442332);
    checkKl(reference, "low_var_kl", .062495, .442332);
    checkKl(reference, "abs", 2.0 / 7, .442663 - .000393 + .001 * 2 / 7);
  }

  private void checkKl(double[] reference, String name, double kl, double total) {
    KlPenalty penalty = KlPenalty.of("kl_loss_type", name);
    LossSettings settings =
        new LossSettings(
            "ppo",
            Map.of(),
            .2,
            .2,
            3.0,
            .001,
            penalty,
            .001,
            Aggregation.TOKEN_MEAN,
            RatioType.TOKEN,
            TrainInferCorrection.NONE,
            null);
    LossResult result = verl(settings, reference);
    assertEquals(kl, metric(result, "actor/kl_loss"), 2e-6, name);
    assertEquals(total, result.loss(), 2e-6, name);
  }

  /**
   * A = −1, ρ = 3: 3 without dual clip; at most 1.4, and then constant, with it, as in {@code
   * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/agentic_actor_worker.py#L69}.
   */
  @Test
  void boundsTheLossOfBadTokens() {
    LossInput free = single(Math.log(3), 0, 0, -1, settings(.2, .2, null, 0, 0));
    assertEquals(3, evaluate(free).loss(), 1e-12);
    assertEquals(3, evaluate(free).logProbGradient()[0], 1e-12);
    for (double ratio : new double[] {3, 5}) {
      LossInput bound = single(Math.log(ratio), 0, 0, -1, settings(.2, .2, 1.4, 0, 0));
      assertEquals(1.4, evaluate(bound).loss(), 1e-12);
      assertEquals(0, evaluate(bound).logProbGradient()[0]);
    }
  }

  @Test
  void hugeRatiosStayFinite() {
    LossInput huge = single(800, 0, 0, -1, settings(.2, .2, null, 0, 0));
    LossResult result = evaluate(huge);
    assertEquals(Math.exp(20), result.loss());
    assertEquals(0, result.logProbGradient()[0]);
  }

  /** At ρ = 1 the loss is −A, its gradient too, and nothing is clipped. */
  @Test
  void startsAsThePolicyGradient() {
    LossInput input = single(-.7, -.7, 0, 2.5, settings(.2, .2, null, 0, 0));
    LossResult result = evaluate(input);
    assertEquals(-2.5, result.loss());
    assertArrayEquals(new double[] {-2.5}, result.logProbGradient());
    assertEquals(0, metric(result, "actor/clipfrac"));
    assertEquals(0, metric(result, "actor/policykl"));
  }

  /** Token losses [1, 2] and [3] (A = −1, −2, −3 at ρ = 1), T − 1 = 2. */
  @Test
  void aggregates() {
    assertEquals(2.0, aggregated(Aggregation.TOKEN_MEAN), 1e-12);
    assertEquals(3.0, aggregated(Aggregation.SEQ_MEAN_TOKEN_SUM), 1e-12);
    assertEquals(2.25, aggregated(Aggregation.SEQ_MEAN_TOKEN_MEAN), 1e-12);
    assertEquals(3.0, aggregated(Aggregation.SEQ_MEAN_TOKEN_SUM_NORM), 1e-12);
  }

  /** The ratio of a turn is the geometric mean, whatever stands between its tokens. */
  @Test
  void sharesTheRatioWithinATurn() {
    double[] logRatio = {.1, 5, .3, -.2};
    LossSettings settings =
        new LossSettings("ppo", .9, 9, null, 0, 0, Aggregation.TOKEN_MEAN, RatioType.SEGMENT);
    LossResult result =
        evaluate(
            new LossInput(
                Layout.of(new int[] {0, 4}, new int[] {0, -1, 0, 1}),
                new LossInput.Policy(logRatio, new double[4], new double[4]),
                new double[] {1, 1, 2, 1},
                ColumnMap.NONE,
                settings,
                new LossDenominators(3, 1, 3)));
    double first = Math.exp(.2);
    double second = Math.exp(-.2);
    assertEquals(-(first + 2 * first + second) / 3, result.loss(), 1e-12);
    double shared = -(first + 2 * first) / 2 / 3;
    assertArrayEquals(
        new double[] {shared, 0, shared, -second / 3}, result.logProbGradient(), 1e-12);
  }

  /** Micro-batches of one sample, added in order, give the whole bit for bit. */
  @Test
  void samplesAddUpBitForBit() {
    LossSettings settings = settings(.2, .2, 3.0, 0, .001);
    LossInput whole = input(new int[] {0, 4, 8}, 0, 8, null, settings);
    double first = evaluate(input(new int[] {0, 4}, 0, 4, null, settings)).loss();
    double second = evaluate(input(new int[] {0, 4}, 4, 8, null, settings)).loss();
    assertEquals(evaluate(whole).loss(), first + second);
  }

  private double aggregated(Aggregation aggregation) {
    Layout layout = Layout.of(new int[] {0, 3, 5}, new int[] {-1, 0, 0, -1, 0});
    LossInput input =
        new LossInput(
            layout,
            new LossInput.Policy(new double[5], new double[5], new double[5]),
            new double[] {0, -1, -2, 0, -3},
            ColumnMap.NONE,
            new LossSettings("ppo", .2, .2, null, 0, 0, aggregation, RatioType.TOKEN),
            LossDenominators.of(layout));
    return evaluate(input).loss();
  }

  private LossResult verl(LossSettings settings, double @Nullable [] reference) {
    return evaluate(input(new int[] {0, 4, 8}, 0, 8, reference, settings));
  }

  private static LossInput input(
      int[] offsets, int from, int to, double @Nullable [] reference, LossSettings settings) {
    double[] entropies = new double[to - from];
    Arrays.fill(entropies, .393);
    return new LossInput(
        new Layout(offsets, new int[to - from], Arrays.copyOfRange(MASK, from, to)),
        new LossInput.Policy(
            Arrays.copyOfRange(LOG_PROBS, from, to), Arrays.copyOfRange(OLD, from, to), entropies),
        Arrays.copyOfRange(ADVANTAGES, from, to),
        reference == null
            ? ColumnMap.NONE
            : ColumnMap.NONE.with(Batch.REFERENCE_LOG_PROBS, reference),
        settings,
        new LossDenominators(7, 2, 3));
  }

  private static LossInput single(
      double logProb, double old, double reference, double advantage, LossSettings settings) {
    return new LossInput(
        Layout.of(new int[] {0, 1}, new int[] {0}),
        new LossInput.Policy(new double[] {logProb}, new double[] {old}, new double[] {1}),
        new double[] {advantage},
        ColumnMap.NONE.with(Batch.REFERENCE_LOG_PROBS, new double[] {reference}),
        settings,
        new LossDenominators(1, 1, 1));
  }

  private static LossSettings settings(
      double low, double high, @Nullable Double dual, double kl, double entropy) {
    return new LossSettings(
        "ppo", low, high, dual, kl, entropy, Aggregation.TOKEN_MEAN, RatioType.TOKEN);
  }

  private static double metric(LossResult result, String name) {
    Double value = result.metrics().get(name);
    if (value == null) {
      throw new AssertionError("no metric " + name);
    }
    return value;
  }
}
