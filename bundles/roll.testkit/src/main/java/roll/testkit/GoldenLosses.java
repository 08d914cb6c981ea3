package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import roll.api.estimator.KlPenalty;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.api.loss.TrainInferCorrection;
import roll.math.LossRows;
import roll.runtime.option.LossOptions;

/** Compares a policy loss and its gradient with those of a reference, see {@link GoldenCases}. */
public final class GoldenLosses {
  /** The references add 1e-8 to numbers of tokens. */
  private static final double TOLERANCE = 1e-7;

  private GoldenLosses() {}

  /** Returns a test for each case beside {@code test}. */
  public static Stream<DynamicTest> of(Class<?> test, PolicyLoss loss) {
    return GoldenCases.of(test).stream()
        .map(golden -> DynamicTest.dynamicTest(golden.toString(), () -> check(loss, golden)));
  }

  private static void check(PolicyLoss loss, GoldenCases.Case golden) {
    Aggregation aggregation =
        Aggregation.valueOf(golden.text("aggregation").toUpperCase(Locale.ROOT).replace('-', '_'));
    LossSettings settings =
        new LossSettings(
            "golden",
            golden.args(),
            golden.number("clipLow"),
            golden.number("clipHigh"),
            null,
            0,
            KlPenalty.K3,
            0,
            aggregation,
            RatioType.TOKEN,
            TrainInferCorrection.NONE,
            null);
    LossInput input =
        LossRows.of(
            golden.rows("logProbs"),
            golden.rows("old"),
            golden.integerRows("mask"),
            golden.rows("advantages"),
            settings);
    long[] keys = LongStream.range(0, golden.rows("mask").length).toArray();
    LossResult result = loss.evaluateWhole(input, LossOptions.of(loss, settings), keys);
    assertEquals(golden.number("loss"), result.loss(), TOLERANCE, "loss");
    assertArrayEquals(golden.numbers("gradient"), result.logProbGradient(), TOLERANCE, "gradient");
  }
}
