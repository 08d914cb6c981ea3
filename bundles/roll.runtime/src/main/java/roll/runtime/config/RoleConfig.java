package roll.runtime.config;

import java.util.Map;

/**
 * A custom role: an entry of {@code roles}. It has no model and no state.
 *
 * @param name its key under {@code roles}
 * @param worker name of the worker that does its work
 * @param after the phase of a step behind which it works
 * @param options {@code worker_config} as written; the worker checks them
 */
public record RoleConfig(String name, String worker, Position after, Map<String, Object> options) {
  /** Prefix of the names of custom roles. */
  public static final String PREFIX = "roles.";

  /** The point of a step at which a custom role runs. */
  public enum Position {
    /** Role configuration position: on the trajectories, after the rollout. */
    ROLLOUT,
    /**
     * Role configuration position: on the batch, after all models have scored it and before rewards
     * are normalized.
     */
    LOG_PROBS,
    /** On the batch, after advantages are estimated and before training. */
    ADVANTAGES
  }

  /** Returns the name of the role among all roles of a run. */
  public String role() {
    return PREFIX + name;
  }
}
