package roll.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.data.Layout;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossSettings.Aggregation;

class ValueLossTest {
  /** Two samples of 3 and 1 trained tokens; what is not trained on is not a number. */
  private static final int[] TURNS = {-1, 0, 0, 0, 0, -1};

  private static final Layout LAYOUT = Layout.of(new int[] {0, 4, 6}, TURNS);
  private static final double NAN = Double.NaN;
  private static final double[] VALUES = {NAN, 1, .2, .8, -1, NAN};
  private static final double[] OLD = {NAN, .5, .3, 1, 0, NAN};
  private static final double[] RETURNS = {NAN, .9, 1, .9, .5, NAN};

  /**
   * Squares .01 .64 .01 2.25; clipped values .7 .3 .8 −.2, hence squares .04 .49 .01 .49; the
   * larger: .04 .64 .01 2.25.
   */
  @Test
  void takesTheLargerSquare() {
    ValueLoss.Result byToken = evaluate(Aggregation.TOKEN_MEAN, .2);
    assertEquals((.04 + .64 + .01 + 2.25) / 8, byToken.loss(), 1e-12);
    assertArrayEquals(new double[] {0, 0, -.2, -.025, -.375, 0}, byToken.gradient(), 1e-12);
    assertEquals(1 / 4.0, metric(byToken, "critic/clipfrac"), 1e-12);
    assertEquals(2.91 / 4, metric(byToken, "critic/error"), 1e-12);
    assertEquals(1.8 / 4, metric(byToken, "critic/value"), 1e-12);
    assertEquals(1.0 / 4, metric(byToken, "critic/vpred"), 1e-12);
    assertEquals(byToken.loss(), metric(byToken, "critic/loss"));

    ValueLoss.Result bySample = evaluate(Aggregation.SEQ_MEAN_TOKEN_MEAN, .2);
    assertEquals((.69 / 3 + 2.25) / 4, bySample.loss(), 1e-12);
    assertEquals((1 / 3.0) / 2, metric(bySample, "critic/clipfrac"), 1e-12);
    assertEquals((.66 / 3 + 2.25) / 2, metric(bySample, "critic/error"), 1e-12);
  }

  @Test
  void withoutAClipItIsHalfTheMeanSquare() {
    ValueLoss.Result result = evaluate(Aggregation.TOKEN_MEAN, null);
    assertEquals(2.91 / 8, result.loss(), 1e-12);
    assertArrayEquals(new double[] {0, .025, -.2, -.025, -.375, 0}, result.gradient(), 1e-12);
    assertEquals(0, metric(result, "critic/clipfrac"));
  }

  @Test
  void theGradientIsTheDerivative() {
    for (Aggregation aggregation : Aggregation.values()) {
      double[] gradient = evaluate(aggregation, .2).gradient();
      for (int t = 1; t < 5; t++) {
        double above = at(aggregation, t, 1e-6).loss();
        double below = at(aggregation, t, -1e-6).loss();
        assertEquals((above - below) / 2e-6, gradient[t], 1e-9);
      }
    }
  }

  @Test
  void partsAddUpToTheWholeBitForBit() {
    for (Aggregation aggregation : Aggregation.values()) {
      ValueLoss.Result whole = evaluate(aggregation, .2);
      ValueLoss.Result first = part(aggregation, 0, 4);
      ValueLoss.Result second = part(aggregation, 4, 6);
      assertEquals(whole.loss(), first.loss() + second.loss());
      assertArrayEquals(Arrays.copyOfRange(whole.gradient(), 0, 4), first.gradient());
      assertArrayEquals(Arrays.copyOfRange(whole.gradient(), 4, 6), second.gradient());
      Map<String, Double> sum = new HashMap<>(first.metrics());
      second.metrics().forEach((name, share) -> sum.merge(name, share, Double::sum));
      assertEquals(whole.metrics(), sum);
    }
  }

  @Test
  void nothingToTrainGivesZero() {
    double[] nothing = {NAN, NAN};
    Layout layout = Layout.of(new int[] {0, 2, 2}, new int[] {-1, -1});
    ValueLoss.Input input =
        new ValueLoss.Input(layout, nothing, nothing, nothing, LossDenominators.of(layout));
    for (Aggregation aggregation : Aggregation.values()) {
      ValueLoss.Result result = new ValueLoss(aggregation, .2).evaluate(input);
      assertEquals(0, result.loss());
      assertArrayEquals(new double[2], result.gradient());
      assertTrue(result.metrics().values().stream().allMatch(share -> share == 0));
    }
  }

  private static ValueLoss.Result evaluate(Aggregation aggregation, @Nullable Double clip) {
    return new ValueLoss(aggregation, clip)
        .evaluate(new ValueLoss.Input(LAYOUT, VALUES, OLD, RETURNS, LossDenominators.of(LAYOUT)));
  }

  private static ValueLoss.Result at(Aggregation aggregation, int cell, double change) {
    double[] values = VALUES.clone();
    values[cell] += change;
    return new ValueLoss(aggregation, .2)
        .evaluate(new ValueLoss.Input(LAYOUT, values, OLD, RETURNS, LossDenominators.of(LAYOUT)));
  }

  private static ValueLoss.Result part(Aggregation aggregation, int from, int to) {
    return new ValueLoss(aggregation, .2)
        .evaluate(
            new ValueLoss.Input(
                Layout.of(new int[] {0, to - from}, Arrays.copyOfRange(TURNS, from, to)),
                Arrays.copyOfRange(VALUES, from, to),
                Arrays.copyOfRange(OLD, from, to),
                Arrays.copyOfRange(RETURNS, from, to),
                LossDenominators.of(LAYOUT)));
  }

  private static double metric(ValueLoss.Result result, String name) {
    return result.metrics().getOrDefault(name, NAN);
  }
}
