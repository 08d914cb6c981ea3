package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.loss.Denominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;

/**
 * What every {@link PolicyLoss} must keep. A plugin's test extends this class, says how to make the
 * loss, and inherits the tests.
 */
public abstract class LossContract {
  private static final int SAMPLES = 8;
  private static final double STEP = 1e-5;

  /** A new instance of the loss under test. */
  protected abstract PolicyLoss loss();

  /** The settings to test with; the standard is every aggregation with every ratio type. */
  protected List<LossSettings> settings() {
    List<LossSettings> all = new ArrayList<>();
    for (Aggregation aggregation : Aggregation.values()) {
      for (RatioType ratio : RatioType.values()) {
        all.add(new LossSettings("test", 0.2, 0.28, 1.4, 0.1, 0.01, aggregation, ratio));
      }
    }
    return all;
  }

  /**
   * Whether the log-prob gradient is the derivative of the value. False for losses that hold a
   * weight constant on purpose (CISPO, TIS): their own test must check the gradient then.
   */
  protected boolean gradientIsDerivative() {
    return true;
  }

  /** One gradient a cell, 0 outside the mask, every number finite. */
  @Test
  void givesOneGradientPerToken() {
    for (LossSettings settings : settings()) {
      LossInput input = input(cells(), settings);
      check(input, loss().evaluate(input));
    }
  }

  /** The same input gives the same result, to the last bit, and is not written. */
  @Test
  void isAFunctionOfItsInput() {
    for (LossSettings settings : settings()) {
      LossInput input = input(cells(), settings);
      PolicyLoss loss = loss();
      assertSame(loss.evaluate(input), loss.evaluate(input));
      LossInput fresh = input(cells(), settings);
      assertArrayEquals(fresh.logProbs(), input.logProbs(), "the log-probs were written");
      assertArrayEquals(fresh.entropies(), input.entropies(), "the entropies were written");
      assertArrayEquals(fresh.advantages(), input.advantages(), "the advantages were written");
    }
  }

  /** Both gradients agree with central finite differences of the value, away from kinks. */
  @Test
  void gradientsAreTheDerivativesOfTheLoss() {
    for (LossSettings settings : settings()) {
      LossInput input = input(cells(), settings);
      LossResult result = loss().evaluate(input);
      checkGradient(input, input.entropies(), result.entropyGradient(), "entropy");
      if (gradientIsDerivative()) {
        checkGradient(input, input.logProbs(), result.logProbGradient(), "log-prob");
      }
    }
  }

  /** Cells that are not trained on change nothing, however many and whatever is in them. */
  @Test
  void maskedCellsNeverMatter() {
    for (LossSettings settings : settings()) {
      LossInput input = input(cells(), settings);
      Cells more = cells().withInsertions(stream("insertions"));
      LossInput changed = rearranged(input, more, Double.NaN);
      LossResult before = loss().evaluate(input);
      LossResult after = loss().evaluate(changed);
      check(changed, after);
      assertSame(spread(before, more), after);
    }
  }

  /** The order of the samples does not matter. */
  @Test
  void samplesMayStandInAnyOrder() {
    for (LossSettings settings : settings()) {
      LossInput input = input(cells(), settings);
      Cells moved = cells().select(3, 0, 7, 5, 1, 6, 2, 4);
      LossResult before = loss().evaluate(input);
      LossResult after = loss().evaluate(rearranged(input, moved, 0));
      assertClose(spread(before, moved), after);
    }
  }

  /** However an optimizer batch is cut, its parts add up to the whole. */
  @Test
  void partsAddUpToTheWhole() {
    int[][][] cuts = {
      {{0, 1, 2}, {3, 4, 5, 6}, {7}},
      {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}},
      {{6, 1}, {0, 2, 3, 4, 5, 7}}
    };
    for (LossSettings settings : settings()) {
      LossInput input = input(cells(), settings);
      LossResult whole = loss().evaluate(input);
      for (int[][] cut : cuts) {
        double sum = 0;
        Map<String, Double> metrics = new HashMap<>();
        for (int[] part : cut) {
          Cells cells = cells().select(part);
          LossResult share = loss().evaluate(rearranged(input, cells, 0));
          LossResult expected = spread(whole, cells);
          assertArrayEquals(expected.logProbGradient(), share.logProbGradient(), "gradient");
          assertArrayEquals(expected.entropyGradient(), share.entropyGradient(), "gradient");
          sum += share.loss();
          share.metrics().forEach((name, value) -> metrics.merge(name, value, combine(name)));
        }
        assertEquals(whole.loss(), sum, 1e-12, "loss");
        assertClose(whole.metrics(), metrics);
      }
    }
  }

  /** A sample without trained tokens adds nothing; a part of nothing else has loss 0. */
  @Test
  void samplesWithoutTrainedTokensAddNothing() {
    for (LossSettings settings : settings()) {
      LossInput input = input(cells().withoutMask(2), settings);
      LossInput without = rearranged(input, cells().withoutMask(2).select(0, 1, 3, 4, 5, 6, 7), 0);
      LossResult all = loss().evaluate(input);
      check(input, all);
      LossResult less = loss().evaluate(without);
      assertEquals(less.loss(), all.loss(), 1e-12);
      assertEquals(less.metrics().keySet(), all.metrics().keySet());
      LossResult nothing = loss().evaluate(rearranged(input, cells().withoutMask(2).select(2), 0));
      assertEquals(0, nothing.loss());
      nothing.metrics().forEach((name, v) -> assertTrue(Double.isFinite(v), name + " is " + v));
      assertEquals(0, loss().evaluate(rearranged(input, cells().select(), 0)).loss());
    }
  }

  private static Cells cells() {
    return Cells.random(stream("cells"), SAMPLES);
  }

  private static LossInput input(Cells cells, LossSettings settings) {
    RandomGenerator random = stream("columns");
    double[] logProbs = cells.column(() -> -0.05 - 3 * random.nextDouble());
    return new LossInput(
        cells.offsets(),
        cells.turns(),
        cells.mask(),
        logProbs,
        cells.column(() -> 2 * random.nextDouble()),
        near(logProbs, random),
        near(logProbs, random),
        cells.column(random::nextGaussian),
        settings,
        Denominators.of(cells.offsets(), cells.mask()));
  }

  private static double[] near(double[] logProbs, RandomGenerator random) {
    double[] others = logProbs.clone();
    for (int t = 0; t < others.length; t++) {
      others[t] += 0.4 * random.nextGaussian();
    }
    return others;
  }

  /**
   * {@code input} in the layout {@code cells}, same denominators, {@code filler} outside the mask.
   */
  private static LossInput rearranged(LossInput input, Cells cells, double filler) {
    double[] reference = input.referenceLogProbs();
    return new LossInput(
        cells.offsets(),
        cells.turns(),
        cells.mask(),
        moved(cells, input.logProbs(), filler),
        moved(cells, input.entropies(), filler),
        moved(cells, input.oldLogProbs(), filler),
        reference == null ? null : moved(cells, reference, filler),
        moved(cells, input.advantages(), filler),
        input.settings(),
        input.denominators());
  }

  private static double[] moved(Cells cells, double[] column, double filler) {
    return cells.outsideMask(cells.take(column, () -> filler), () -> filler);
  }

  private static LossResult spread(LossResult result, Cells cells) {
    return new LossResult(
        result.loss(),
        cells.take(result.logProbGradient(), () -> 0),
        cells.take(result.entropyGradient(), () -> 0),
        result.metrics());
  }

  private void checkGradient(LossInput input, double[] column, double[] gradient, String name) {
    int trained = 0;
    int smooth = 0;
    double here = loss().evaluate(input).loss();
    for (int t = 0; t < column.length; t++) {
      if (!input.mask()[t]) {
        continue;
      }
      trained++;
      double above = at(input, column, t, STEP) - here;
      double below = here - at(input, column, t, -STEP);
      if (Math.abs(above - below) > 1e-3 * (Math.abs(above) + Math.abs(below)) + 1e-13) {
        continue;
      }
      smooth++;
      double difference = (above + below) / (2 * STEP);
      assertEquals(
          difference,
          gradient[t],
          1e-8 + 1e-5 * Math.abs(difference),
          name + " gradient of cell " + t + " with " + input.settings());
    }
    assertTrue(smooth >= 0.9 * trained, "only " + smooth + " of " + trained + " cells are smooth");
  }

  private double at(LossInput input, double[] column, int cell, double change) {
    double original = column[cell];
    column[cell] = original + change;
    double value = loss().evaluate(input).loss();
    column[cell] = original;
    return value;
  }

  private static BinaryOperator<Double> combine(String name) {
    if (name.endsWith("_max")) {
      return Math::max;
    }
    return name.endsWith("_min") ? Math::min : Double::sum;
  }

  private static RandomGenerator stream(String purpose) {
    return RandomStreams.of(42, "roll.testkit/" + purpose);
  }

  private static void check(LossInput input, LossResult result) {
    int cells = input.mask().length;
    assertTrue(Double.isFinite(result.loss()), "the loss is " + result.loss());
    assertEquals(cells, result.logProbGradient().length, "number of log-prob gradients");
    assertEquals(cells, result.entropyGradient().length, "number of entropy gradients");
    for (int t = 0; t < cells; t++) {
      for (double g : new double[] {result.logProbGradient()[t], result.entropyGradient()[t]}) {
        assertTrue(Double.isFinite(g), "gradient of cell " + t + " is " + g);
        assertTrue(input.mask()[t] || g == 0, "cell " + t + " is not trained on");
      }
    }
    result.metrics().forEach((name, v) -> assertTrue(Double.isFinite(v), name + " is " + v));
  }

  private static void assertSame(LossResult expected, LossResult found) {
    assertEquals(expected.loss(), found.loss());
    assertArrayEquals(expected.logProbGradient(), found.logProbGradient());
    assertArrayEquals(expected.entropyGradient(), found.entropyGradient());
    assertEquals(expected.metrics(), found.metrics());
  }

  private static void assertClose(LossResult expected, LossResult found) {
    assertEquals(expected.loss(), found.loss(), 1e-12);
    assertArrayEquals(expected.logProbGradient(), found.logProbGradient(), 1e-12);
    assertArrayEquals(expected.entropyGradient(), found.entropyGradient(), 1e-12);
    assertClose(expected.metrics(), found.metrics());
  }

  private static void assertClose(Map<String, Double> expected, Map<String, Double> found) {
    assertEquals(expected.keySet(), found.keySet());
    found.forEach(
        (name, value) -> assertEquals(expected.getOrDefault(name, Double.NaN), value, 1e-12, name));
  }
}
