package roll.core.step;

import org.jspecify.annotations.Nullable;
import roll.runtime.config.algorithm.KlConfig;

/**
 * The coefficient β of the KL penalty: fixed, or steered toward a target (Ziegler et al. 2019,
 * "Fine-Tuning Language Models from Human Preferences", §2.2).
 */
public final class KlController {
  private final @Nullable Double target;
  private final int horizon;
  private double coefficient;

  /** Creates the controller of the KL penalty that {@code config} describes. */
  public KlController(KlConfig config) {
    target = config.target();
    horizon = config.horizon();
    coefficient = config.initialCoefficient();
  }

  /** Returns β, the weight of the KL penalty. */
  public double coefficient() {
    return coefficient;
  }

  /** Continues from the KL coefficient of a checkpoint. */
  public void restore(double saved) {
    coefficient = saved;
  }

  /**
   * {@code β ← β · (1 + clip(kl / target − 1, ±0.2) · samples / horizon)}; fixed without a target.
   */
  void update(double kl, int samples) {
    if (target != null) {
      double error = Math.clamp(kl / target - 1, -0.2, 0.2);
      coefficient *= 1 + error * samples / horizon;
    }
  }
}
