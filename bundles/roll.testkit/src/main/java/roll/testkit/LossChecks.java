package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;

/** Assertions of {@link LossContract} on the result of a loss. */
final class LossChecks {
  private static final double STEP = 1e-5;

  private LossChecks() {}

  /**
   * Fails unless {@code gradient} agrees with central finite differences of {@code loss} in {@code
   * column} of {@code input}; at most a tenth of the tokens may be near a kink of the loss.
   */
  static void checkGradient(
      LossInput input,
      double[] column,
      double[] gradient,
      ToDoubleFunction<LossInput> loss,
      String name) {
    int trained = 0;
    int smooth = 0;
    double here = loss.applyAsDouble(input);
    for (int t = 0; t < column.length; t++) {
      if (!input.layout().mask()[t]) {
        continue;
      }
      trained++;
      double above = at(input, column, t, STEP, loss) - here;
      double below = here - at(input, column, t, -STEP, loss);
      if (Math.abs(above - below) > 1e-3 * (Math.abs(above) + Math.abs(below)) + 1e-13) {
        continue;
      }
      smooth++;
      double difference = (above + below) / (2 * STEP);
      assertEquals(
          difference,
          gradient[t],
          1e-8 + 1e-5 * Math.abs(difference),
          name + " gradient of token " + t + " with " + input.settings());
    }
    assertTrue(
        smooth >= 0.9 * trained,
        "the loss is smooth at only " + smooth + " of " + trained + " tokens");
  }

  private static double at(
      LossInput input, double[] column, int cell, double change, ToDoubleFunction<LossInput> loss) {
    double original = column[cell];
    column[cell] = original + change;
    double value = loss.applyAsDouble(input);
    column[cell] = original;
    return value;
  }

  /** Fails unless there is a finite gradient for each token, 0 outside the mask. */
  static void check(LossInput input, LossResult result) {
    int cells = input.layout().mask().length;
    assertTrue(Double.isFinite(result.loss()), "the loss is " + result.loss());
    assertEquals(cells, result.logProbGradient().length, "number of log-prob gradients");
    assertEquals(cells, result.entropyGradient().length, "number of entropy gradients");
    for (int t = 0; t < cells; t++) {
      for (double g : new double[] {result.logProbGradient()[t], result.entropyGradient()[t]}) {
        assertTrue(Double.isFinite(g), "gradient of token " + t + " is " + g);
        assertTrue(
            input.layout().mask()[t] || g == 0,
            "gradient of token " + t + " outside the mask is " + g);
      }
    }
    result.metrics().forEach((name, v) -> assertTrue(Double.isFinite(v), name + " is " + v));
  }

  /** Fails unless the results are equal bit for bit. */
  static void assertSame(LossResult expected, LossResult found) {
    assertEquals(expected.loss(), found.loss(), "loss");
    assertArrayEquals(expected.logProbGradient(), found.logProbGradient(), "log-prob gradient");
    assertArrayEquals(expected.entropyGradient(), found.entropyGradient(), "entropy gradient");
    assertEquals(expected.metrics(), found.metrics(), "metrics");
  }

  /** Fails unless the results are equal up to rounding. */
  static void assertClose(LossResult expected, LossResult found) {
    assertEquals(expected.loss(), found.loss(), 1e-12, "loss");
    assertArrayEquals(
        expected.logProbGradient(), found.logProbGradient(), 1e-12, "log-prob gradient");
    assertArrayEquals(
        expected.entropyGradient(), found.entropyGradient(), 1e-12, "entropy gradient");
    assertClose(expected.metrics(), found.metrics());
  }

  static void assertClose(Map<String, Double> expected, Map<String, Double> found) {
    assertEquals(expected.keySet(), found.keySet());
    found.forEach(
        (name, value) -> assertEquals(expected.getOrDefault(name, Double.NaN), value, 1e-12, name));
  }
}
