package roll.runtime.config.algorithm;

import org.jspecify.annotations.Nullable;
import roll.api.estimator.KlPenalty;

/**
 * The KL penalty against the reference policy inside the token rewards.
 *
 * @param inReward {@code add_token_level_kl}
 * @param penalty name of a {@link KlPenalty}, or {@link KlPenalty#FULL}
 * @param initialCoefficient β of the first step
 * @param target KL the adaptive controller aims at, or null for a fixed β
 * @param horizon trajectories over which the adaptive controller acts
 */
public record KlConfig(
    boolean inReward,
    String penalty,
    double initialCoefficient,
    @Nullable Double target,
    int horizon) {
  /** Whether the KL penalty is the exact divergence. */
  public boolean full() {
    return penalty.equals(KlPenalty.FULL);
  }
}
