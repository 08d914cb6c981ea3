package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MaskedStatisticsTest {
  @Test
  void clips_and_counts_the_share_outside() {
    double[] x = {1.2, -.7, .1, 50};
    assertEquals(
        2.0 / 3, MaskedStatistics.clip(x, new boolean[] {true, true, true, false}, .2), 1e-12);
    assertArrayEquals(new double[] {.2, -.2, .1, 50}, x);
  }
}
