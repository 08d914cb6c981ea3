package roll.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MaskedTest {
  @Test
  void clips_and_counts_the_share_outside() {
    double[] x = {1.2, -.7, .1, 50};
    assertEquals(2.0 / 3, Masked.clip(x, new boolean[] {true, true, true, false}, .2), 1e-12);
    assertArrayEquals(new double[] {.2, -.2, .1, 50}, x);
  }

  @Test
  void means_the_means_of_samples_that_have_cells() {
    double[] x = {1, 3, 5, 7, 100};
    boolean[] mask = {true, true, false, true, false};
    assertEquals((2.0 + 7) / 2, Masked.meanOfMeans(x, mask, new int[] {0, 2, 4, 5}), 1e-12);
    boolean[] none = new boolean[5];
    Arrays.fill(none, false);
    assertEquals(0, Masked.meanOfMeans(x, none, new int[] {0, 2, 4, 5}));
  }
}
