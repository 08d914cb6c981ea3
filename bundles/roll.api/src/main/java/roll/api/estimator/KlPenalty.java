package roll.api.estimator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import roll.api.data.Layout;
import roll.api.option.UserException;

/**
 * Estimates of the KL divergence of the policy from the reference by token, from the difference
 * {@code d = log π − log π_ref} (Schulman, "Approximating KL Divergence", 2020). Estimates with a
 * plus are straight-through (verl's {@code kl_loss_type} with a plus): the value is the same, but
 * the slope is {@code d}, whose mean over sampled tokens is the gradient of the divergence.
 */
public enum KlPenalty {
  /** {@code d}, alias k1: unbiased, may be negative. */
  KL("kl", "k1"),
  /** KL estimate {@code |d|} of the log-ratio d. */
  ABS("abs", "abs"),
  /** KL estimate {@code ½d²} of the log-ratio d, alias k2. */
  MSE("mse", "k2"),
  /** {@code e^−d + d − 1}, alias low_var_kl: unbiased, never negative; bounded to 10. */
  K3("k3", "low_var_kl"),
  /** {@link #KL} with the slope of {@link #MSE}. */
  KL_PLUS("kl+", "k1+"),
  /** {@link #ABS} with the slope of {@link #MSE}. */
  ABS_PLUS("abs+", "abs+"),
  /** {@link #K3} with the slope of {@link #MSE}. */
  K3_PLUS("k3+", "low_var_kl+");

  /**
   * Name of the exact divergence, summed over the vocabulary; not an enum constant, as it cannot be
   * computed from {@code d}.
   */
  public static final String FULL = "full";

  /** The estimates whose slope is the derivative of their value. */
  public static final List<KlPenalty> SMOOTH = List.of(KL, ABS, MSE, K3);

  private static final double EXPONENT = 20;
  private static final double BOUND = 10;

  private final String name;
  private final String alias;

  KlPenalty(String name, String alias) {
    this.name = name;
    this.alias = alias;
  }

  /**
   * Returns the KL estimate called {@code name}.
   *
   * @param where the key that names it, for the message
   * @throws UserException if there is none
   */
  public static KlPenalty of(String where, String name) {
    for (KlPenalty kind : values()) {
      if (kind.name.equals(name) || kind.alias.equals(name)) {
        return kind;
      }
    }
    List<String> all =
        Arrays.stream(values()).flatMap(k -> Stream.of(k.name, k.alias)).distinct().toList();
    throw new UserException(
        "%s: expected one of %s, found '%s'".formatted(where, String.join(", ", all), name));
  }

  /** Returns the KL estimate for the log-ratio {@code d}. */
  public double of(double d) {
    return switch (this) {
      case KL, KL_PLUS -> d;
      case ABS, ABS_PLUS -> Math.abs(d);
      case MSE -> 0.5 * d * d;
      case K3, K3_PLUS -> within(BOUND, Math.exp(-within(EXPONENT, d)) + d - 1);
    };
  }

  /** Faster than Math.clamp, which would cost as much as the exponential. */
  private static double within(double bound, double x) {
    return x > bound ? bound : x < -bound ? -bound : x;
  }

  /**
   * Subtracts {@code coefficient} times this KL penalty from the reward of each policy token, in
   * place.
   *
   * @param rewards by cell
   * @param logProbs of the policy, by cell
   * @param reference log-probs of the reference, by cell
   * @return the penalty before the coefficient: mean over samples of means over their policy
   *     tokens; samples without any are left out
   */
  public double takeOff(
      double[] rewards, double coefficient, double[] logProbs, double[] reference, Layout layout) {
    double[] penalties = new double[rewards.length];
    for (int i = 0; i < layout.samples(); i++) {
      for (int t : layout.policyTokens(i)) {
        penalties[t] = of(logProbs[t] - reference[t]);
      }
    }
    return takeOff(rewards, coefficient, penalties, layout);
  }

  /**
   * Subtracts {@code coefficient} times the penalty from the reward of each policy token, in place.
   *
   * @param rewards by cell
   * @param penalties by cell
   * @return the penalty before the coefficient: mean over samples of means over their policy
   *     tokens; samples without any are left out
   */
  public static double takeOff(
      double[] rewards, double coefficient, double[] penalties, Layout layout) {
    double means = 0;
    int samples = 0;
    for (int i = 0; i < layout.samples(); i++) {
      double sum = 0;
      int count = 0;
      for (int t : layout.policyTokens(i)) {
        rewards[t] -= coefficient * penalties[t];
        sum += penalties[t];
        count++;
      }
      means += count > 0 ? sum / count : 0;
      samples += count > 0 ? 1 : 0;
    }
    return samples == 0 ? 0 : means / samples;
  }

  /**
   * The derivative of the estimate by {@code d}; 0 at a bound.
   *
   * @param value the estimate at {@code d}
   */
  public double slope(double d, double value) {
    return switch (this) {
      case KL -> 1;
      case ABS -> Math.signum(d);
      case MSE, KL_PLUS, ABS_PLUS, K3_PLUS -> d;
      case K3 -> Math.abs(d) < EXPONENT && value < BOUND ? d - value : 0; // 1 − e^−d
    };
  }
}
