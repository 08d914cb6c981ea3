package roll.runtime.config;

import java.util.Map;

/**
 * A role of one's own: an entry of {@code roles}. It has no model and remembers nothing from step
 * to step.
 *
 * @param name its key under {@code roles}
 * @param worker name of the worker that does its work
 * @param after the phase of a step behind which it works
 * @param options {@code worker_config} as written; the worker checks them
 */
public record RoleConfig(String name, String worker, Place after, Map<String, Object> options) {
  /** What the names of such roles begin with. */
  public static final String PREFIX = "roles.";

  /** Between which phases of a step a role works. */
  public enum Place {
    /** On the trajectories, when they have been played. */
    ROLLOUT,
    /** On the batch, when all models have scored it and before rewards are normalized. */
    LOG_PROBS,
    /** On the batch, when it has its advantages and before it is trained on. */
    ADVANTAGES
  }

  /** The name of the role among all roles of a run. */
  public String role() {
    return PREFIX + name;
  }
}
