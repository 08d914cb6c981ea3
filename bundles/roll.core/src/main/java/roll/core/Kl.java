package roll.core;

/**
 * Estimates of the KL divergence of the policy from the reference by token, from the difference
 * {@code d} of their log-probs (Schulman, "Approximating KL Divergence", 2020).
 */
final class Kl {
  private static final double BOUND = 10;

  private Kl() {}

  /**
   * The estimate {@code kind} for {@code d = log π − log π_ref}: kl (k1) d, abs |d|, mse (k2) ½d²,
   * k3 e^−d + d − 1 bounded to ±10.
   */
  static double penalty(String kind, double d) {
    return switch (kind) {
      case "kl", "k1" -> d;
      case "abs" -> Math.abs(d);
      case "mse", "k2" -> 0.5 * d * d;
      case "k3", "low_var_kl" ->
          Math.clamp(Math.exp(-Math.clamp(d, -20, 20)) + d - 1, -BOUND, BOUND);
      default -> throw new IllegalArgumentException("kl_penalty " + kind);
    };
  }
}
