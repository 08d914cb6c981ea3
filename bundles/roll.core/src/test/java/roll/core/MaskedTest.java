package roll.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MaskedTest {
  @Test
  void whitens_over_the_mask_with_the_unbiased_variance() {
    double[] x = {.866024, .866024, .866024, 9, -.866024, -.866024, -.866024, -.866024, -.866024};
    boolean[] mask = {true, true, true, false, true, true, true, true, true};
    Masked.whiten(x, mask);
    assertArrayEquals(
        new double[] {
          1.207615, 1.207615, 1.207615, 0, -.724569, -.724569, -.724569, -.724569, -.724569
        },
        x,
        2e-6);
  }

  @Test
  void agrees_with_the_worked_example_of_verl() {
    double[] x = {.5, -1, 2, 9, 0, 1.5, 7, -3};
    boolean[] mask = {true, true, true, false, true, true, false, false};
    Masked.whiten(x, mask);
    assertArrayEquals(
        new double[] {-.083771, -1.340333, 1.172791, 0, -.502625, .753937, 0, 0}, x, 2e-6);
  }

  @Test
  void leaves_a_single_cell_as_it_is() {
    double[] x = {5, 3};
    Masked.whiten(x, new boolean[] {true, false});
    assertArrayEquals(new double[] {5, 0}, x);
  }

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
