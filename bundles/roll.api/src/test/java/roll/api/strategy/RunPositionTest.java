package roll.api.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunPositionTest {
  /** Extrapolation: 20 updates in 4.5 of 10 training steps give 44.4 in total. */
  @ParameterizedTest
  @CsvSource({
    "0, 10, 0, 2, 0, 20",
    "0, 10, 1, 2, 1, 20",
    "4, 10, 0, 2, 20, 50",
    "4, 10, 1, 2, 20, 44.44444444444444",
    "9, 10, 1, 2, 77, 81.05263157894737",
    "4, 10, 1, 2, 0, 20",
  })
  void aRunGoesOnAsItHas(int step, int steps, int update, int updates, long made, double total) {
    assertEquals(total, new RunPosition(step, steps, update, updates).total(made));
  }

  @Test
  void stepsOfEqualLengthAreCountedExactly() {
    for (int step = 0; step < 1000; step++) {
      for (int update = 0; update < 7; update++) {
        assertEquals(7000, new RunPosition(step, 1000, update, 7).total(step * 7L + update));
      }
    }
  }
}
