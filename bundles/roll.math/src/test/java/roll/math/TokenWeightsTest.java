package roll.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.ColumnMap;
import roll.api.data.Layout;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.Norm;
import roll.api.loss.LossSettings.RatioType;

class TokenWeightsTest {
  /**
   * Rows for {@code agg_loss} of {@code
   * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L1025}, each after a prompt token: [1,
   * 2, 3, ·], [10, ·, ·, ·], [·, ·, ·, ·].
   */
  private static final int[] OFFSETS = {0, 5, 10, 15};

  private static final boolean[] MASK = {
    false, true, true, true, false,
    false, true, false, false, false,
    false, false, false, false, false
  };

  private static final double[] LOSSES = {0, 1, 2, 3, 4, 0, 10, 0, 0, 0, 0, 5, 0, 0, 0};

  @Test
  void countsTheWholeBatch() {
    assertEquals(new LossDenominators(4, 2, 4), LossDenominators.of(layout(OFFSETS, MASK)));
    assertEquals(new LossDenominators(0, 0, 0), LossDenominators.of(Layout.ofRows(new int[0][])));
    assertEquals(
        new LossDenominators(0, 0, 0), LossDenominators.of(Layout.ofRows(new int[][] {{}, {0}})));
  }

  @Test
  void aggregatesAsVerl() {
    assertEquals(16 / 4.0, aggregate(Aggregation.TOKEN_MEAN), 1e-12);
    assertEquals((6 + 10) / 2.0, aggregate(Aggregation.SEQ_MEAN_TOKEN_SUM), 1e-12);
    assertEquals((2 + 10) / 2.0, aggregate(Aggregation.SEQ_MEAN_TOKEN_MEAN), 1e-12);
    assertEquals(16 / 4.0, aggregate(Aggregation.SEQ_MEAN_TOKEN_SUM_NORM), 1e-12);
  }

  /**
   * A constant takes the place of the length: of the sum over samples ROLL's, of the mean {@code
   * loss_scale_factor} of {@code verl-project/verl@1dda039:verl/trainer/ppo/core_algos.py#L1181}
   * and TRL's {@code dr_grpo}.
   */
  @Test
  void aNormIsTheSameInEveryBatch() {
    assertEquals(16 / 64.0, normed(new Norm(64, false)), 1e-12);
    assertEquals((6 + 10) / 2.0 / 64, normed(new Norm(64, true)), 1e-12);
  }

  private static double normed(Norm norm) {
    LossInput written =
        input(
            OFFSETS,
            MASK,
            Aggregation.SEQ_MEAN_TOKEN_SUM_NORM,
            LossDenominators.of(layout(OFFSETS, MASK)));
    LossSettings plain = written.settings();
    LossSettings settings =
        new LossSettings(
            plain.loss(),
            plain.args(),
            plain.clipLow(),
            plain.clipHigh(),
            plain.dualClip(),
            plain.klCoefficient(),
            plain.klPenalty(),
            plain.entropyCoefficient(),
            plain.aggregation(),
            plain.ratio(),
            plain.correction(),
            norm);
    double[] weights =
        TokenWeights.of(
            new LossInput(
                written.layout(),
                written.policy(),
                written.advantages(),
                ColumnMap.NONE,
                settings,
                written.denominators()));
    double sum = 0;
    for (int i = 0; i < LOSSES.length; i++) {
      sum += MASK[i] ? weights[i] * LOSSES[i] : 0;
    }
    return sum;
  }

  /**
   * Rows [1, 2] and [3, ·], T − 1 = 2, for {@code agg_loss} of {@code
   * alibaba/ROLL@8eb27cc:roll/utils/functionals.py#L229}.
   */
  @Test
  void aggregatesAsRoll() {
    int[] offsets = {0, 3, 6};
    boolean[] mask = {false, true, true, false, true, false};
    double[] losses = {0, 1, 2, 0, 3, 0};
    Map<Aggregation, Double> expected =
        Map.of(
            Aggregation.TOKEN_MEAN, 2.0,
            Aggregation.SEQ_MEAN_TOKEN_SUM, 3.0,
            Aggregation.SEQ_MEAN_TOKEN_MEAN, 2.25,
            Aggregation.SEQ_MEAN_TOKEN_SUM_NORM, 3.0);
    expected.forEach(
        (aggregation, value) -> {
          LossInput input =
              input(offsets, mask, aggregation, LossDenominators.of(layout(offsets, mask)));
          assertEquals(value, dot(TokenWeights.of(input), losses), 1e-12);
        });
  }

  /** A part has the weights of the whole: only the denominators say what it is part of. */
  @Test
  void partsHaveTheWeightsOfTheWhole() {
    for (Aggregation aggregation : Aggregation.values()) {
      double[] whole =
          TokenWeights.of(input(OFFSETS, MASK, aggregation, new LossDenominators(4, 2, 4)));
      LossInput second =
          input(
              new int[] {0, 5},
              new boolean[] {false, true, false, false, false},
              aggregation,
              new LossDenominators(4, 2, 4));
      assertArrayEquals(Arrays.copyOfRange(whole, 5, 10), TokenWeights.of(second));
    }
  }

  @Test
  void nothingToTrainGivesNoWeight() {
    int[] offsets = {0, 2};
    boolean[] mask = {false, false};
    for (Aggregation aggregation : Aggregation.values()) {
      LossInput input =
          input(offsets, mask, aggregation, LossDenominators.of(layout(offsets, mask)));
      assertArrayEquals(new double[] {0, 0}, TokenWeights.of(input));
    }
  }

  private static double aggregate(Aggregation aggregation) {
    LossInput input = input(OFFSETS, MASK, aggregation, LossDenominators.of(layout(OFFSETS, MASK)));
    return dot(TokenWeights.of(input), LOSSES);
  }

  private static double dot(double[] weights, double[] losses) {
    double sum = 0;
    for (int t = 0; t < weights.length; t++) {
      sum += weights[t] * losses[t];
    }
    return sum;
  }

  private static Layout layout(int[] offsets, boolean[] mask) {
    return new Layout(offsets, new int[mask.length], mask);
  }

  private static LossInput input(
      int[] offsets, boolean[] mask, Aggregation aggregation, LossDenominators denominators) {
    double[] zeros = new double[mask.length];
    return new LossInput(
        layout(offsets, mask),
        new LossInput.Policy(zeros, zeros, zeros),
        zeros,
        ColumnMap.NONE,
        new LossSettings("ppo", 0.2, 0.2, null, 0, 0, aggregation, RatioType.TOKEN),
        denominators);
  }
}
