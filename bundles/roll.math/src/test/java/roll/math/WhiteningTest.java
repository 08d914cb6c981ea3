package roll.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class WhiteningTest {
  @Test
  void dividesByTheUnbiasedDeviationOverTheMask() {
    double[] x = {.866024, .866024, .866024, 9, -.866024, -.866024, -.866024, -.866024, -.866024};
    boolean[] mask = {true, true, true, false, true, true, true, true, true};
    Whitening.whiten(x, mask);
    assertArrayEquals(
        new double[] {
          1.207615, 1.207615, 1.207615, 0, -.724569, -.724569, -.724569, -.724569, -.724569
        },
        x,
        2e-6);
  }

  /**
   * Numbers of {@code masked_whiten} of {@code
   * volcengine/verl@b178a3c:verl/utils/torch_functional.py#L322} in double precision.
   */
  @Test
  void agreesWithVerl() {
    double[] x = {.5, -1, 2, 9, 0, 1.5, 7, Double.NaN};
    boolean[] mask = {true, true, true, false, true, true, false, false};
    Whitening.whiten(x, mask);
    assertArrayEquals(
        new double[] {-.083771, -1.340333, 1.172791, 0, -.502625, .753937, 0, 0}, x, 2e-6);
  }

  @Test
  void leavesASingleCellAsItIs() {
    double[] x = {5, 3};
    Whitening.whiten(x, new boolean[] {true, false});
    assertArrayEquals(new double[] {5, 0}, x);
  }
}
