package roll.shell.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.shell.eval.EvalStatistics.Interval;

class EvalStatisticsTest {
  private static final double EXACT = 1e-12;

  /** 1 − C(3, k) / C(5, k): 1 − 3/5, 1 − 3/10, 1 − 1/10, and 1 with fewer failures than draws. */
  @Test
  void passAtKIsTheShareOfSubsetsWithASuccess() {
    double[] expected = {0.4, 0.7, 0.9, 1, 1};
    for (int k = 1; k <= 5; k++) {
      assertEquals(expected[k - 1], EvalStatistics.passAtK(5, 2, k), EXACT, "k = " + k);
    }
    assertEquals(0, EvalStatistics.passAtK(5, 0, 5), EXACT);
    assertEquals(1, EvalStatistics.passAtK(5, 5, 1), EXACT);
    // 1 − C(9999, 100) / C(10000, 100) = 100 / 10000, where the binomials overflow a double
    assertEquals(0.01, EvalStatistics.passAtK(10_000, 1, 100), EXACT);
  }

  /**
   * With z = 1.959964: (0.8 + z²/20 ± z √(0.016 + z²/400)) / (1 + z²/10) = (0.992073 ± 0.313617) /
   * 1.384146.
   */
  @Test
  void wilsonOfEightInTen() {
    Interval interval = EvalStatistics.wilson(8, 10);
    assertEquals(0.4902, interval.low(), 5e-5);
    assertEquals(0.9433, interval.high(), 5e-5);
    // z² / (10 + z²) = 3.841459 / 13.841459
    assertEquals(0.277533, EvalStatistics.wilson(0, 10).high(), 5e-7);
    assertEquals(0, EvalStatistics.wilson(0, 10).low());
    assertEquals(1, EvalStatistics.wilson(10, 10).high(), EXACT);
  }

  /** 2 · (C(7, 0) + C(7, 1)) / 2⁷ = 16 / 128. */
  @Test
  void mcNemarOfOneAndSix() {
    assertEquals(0.125, EvalStatistics.mcNemar(1, 6), EXACT);
    assertEquals(0.125, EvalStatistics.mcNemar(6, 1), EXACT);
    assertEquals(1, EvalStatistics.mcNemar(0, 0), EXACT);
    assertEquals(1, EvalStatistics.mcNemar(3, 3), EXACT);
    assertEquals(0.0625, EvalStatistics.mcNemar(0, 5), EXACT);
    // 2⁻²⁰⁰⁰ is no double
    assertEquals(1, EvalStatistics.mcNemar(1000, 1000), EXACT);
  }

  /** All signs equal: 2 of 2⁵ sign changes are as extreme. */
  @Test
  void signChangesOfFiveEqualDifferences() {
    double[] differences = {0.5, 0.5, 0.5, 0.5, 0.5};
    assertEquals(2.0 / 32, EvalStatistics.signFlip(differences), 0.01);
    assertEquals(EvalStatistics.signFlip(differences), EvalStatistics.signFlip(differences));
    assertEquals(1, EvalStatistics.signFlip(new double[] {0.1, -0.1, 0}), EXACT);
  }

  /** The mean of 400 values with deviation 1/2 has the standard error 1/40. */
  @Test
  void theBootstrapIsAboutTwoStandardErrorsWide() {
    double[] values = IntStream.range(0, 400).mapToDouble(i -> i % 2).toArray();
    Interval interval = EvalStatistics.bootstrap(values);
    assertEquals(0.5 - 1.96 / 40, interval.low(), 0.004);
    assertEquals(0.5 + 1.96 / 40, interval.high(), 0.004);
    assertEquals(interval, EvalStatistics.bootstrap(values));
    Arrays.fill(values, 0.25);
    assertTrue(EvalStatistics.bootstrap(values).high() == 0.25);
  }
}
