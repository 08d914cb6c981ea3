package roll.api.estimator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Layout;
import roll.api.option.UserException;

/**
 * Numbers of {@code kl_penalty_forward} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L1867} and of {@code compute_approx_kl} of
 * {@code alibaba/ROLL@8eb27cc:roll/utils/functionals.py#L181} in double precision.
 */
class KlPenaltyTest {
  private static final double[] POLICY = {-1, -.5, -2, -30, -.1, -3, -.1};
  private static final double[] REFERENCE = {-1.2, -.3, -2, -.5, -25, -.5, -3.1};

  @Test
  void everyKindOfTheWorkedExample() {
    assertKind("kl", .2, -.2, 0, -29.5, 24.9, -2.5, 3);
    assertKind("k1", .2, -.2, 0, -29.5, 24.9, -2.5, 3);
    assertKind("abs", .2, .2, 0, 29.5, 24.9, 2.5, 3);
    assertKind("mse", .02, .02, 0, 435.125, 310.005, 3.125, 4.5);
    assertKind("k2", .02, .02, 0, 435.125, 310.005, 3.125, 4.5);
    assertKind("low_var_kl", .018731, .021403, 0, 10, 10, 8.682494, 2.049787);
    assertKind("k3", .018731, .021403, 0, 10, 10, 8.682494, 2.049787);
  }

  @ParameterizedTest
  @CsvSource({"kl, .3", "abs, .3", "mse, .045", "k3, .0408182"})
  void agreesWithRoll(String kind, double expected) {
    assertEquals(expected, KlPenalty.of("kl_penalty", kind).of(.3), 2e-6);
  }

  @Test
  void anUnknownKindIsRefused() {
    UserException refused =
        assertThrows(UserException.class, () -> KlPenalty.of("kl_penalty", "low_var"));
    assertEquals(
        "kl_penalty: expected one of kl, k1, abs, mse, k2, k3, low_var_kl, kl+, k1+, abs+,"
            + " k3+, low_var_kl+, found 'low_var'",
        refused.getMessage());
  }

  /** The value of the kind before the plus, the gradient of ½d². */
  @ParameterizedTest
  @CsvSource({"k1+, .3", "kl+, .3", "abs+, .3", "k3+, .0408182", "low_var_kl+, .0408182"})
  void aPlusIsStraightThrough(String kind, double expected) {
    KlPenalty plus = KlPenalty.of("kl_loss_type", kind);
    assertEquals(expected, plus.of(.3), 2e-6);
    assertEquals(.3, plus.slope(.3, plus.of(.3)));
  }

  @Test
  void verlsFullIsNoEstimateByToken() {
    assertThrows(UserException.class, () -> KlPenalty.of("kl_penalty", "full"));
  }

  private static void assertKind(String name, double... expected) {
    KlPenalty kind = KlPenalty.of("kl_penalty", name);
    double[] found = new double[expected.length];
    Arrays.setAll(found, i -> kind.of(POLICY[i] - REFERENCE[i]));
    assertArrayEquals(expected, found, 2e-6);
  }

  /** ½d² off the rewards of samples of 2, 1 and 0 policy tokens; what the mask hides is NaN. */
  @Test
  void takesThePenaltyOffRewards() {
    double[] rewards = {1, 0, 7, 2, 7};
    double[] logProbs = {1, 3, Double.NaN, 4, 0};
    double[] reference = {0, 0, 0, 0, Double.NaN};
    Layout layout = Layout.ofRows(new int[][] {{1, 1}, {0, 1}, {0}});
    double mean = KlPenalty.MSE.takeOff(rewards, 0.5, logProbs, reference, layout);
    assertArrayEquals(new double[] {1 - 0.25, -2.25, 7, 2 - 4, 7}, rewards, 1e-12);
    assertEquals(((0.5 + 4.5) / 2 + 8) / 2, mean, 1e-12);
    Layout nothing = Layout.ofRows(new int[1][5]);
    assertEquals(0, KlPenalty.MSE.takeOff(rewards, 1, logProbs, reference, nothing));
  }
}
