package roll.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.runtime.config.RunConfig;

/** The roles a run has. */
final class Roles {
  static final String POLICY = "actor_train";
  static final String ENVIRONMENT = "environment";

  /** Roles that are trained. */
  static final List<String> TRAINED = List.of(POLICY, "critic");

  /** Roles that must remember something, in the order in which they are saved. */
  static final List<String> KEPT = List.of(POLICY, "critic", ENVIRONMENT);

  /** What the names of reward models begin with. */
  static final String REWARD_MODELS = "reward_models.";

  private Roles() {}

  /** The role of the reward model {@code name}. */
  static String rewardModel(String name) {
    return REWARD_MODELS + name;
  }

  /** Every role of {@code run} with its configuration; the environment plays with actor_infer's. */
  static Map<String, WorkerConfig> of(RunConfig run) {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>(run.roles());
    roles.put(ENVIRONMENT, run.actorInfer());
    return roles;
  }
}
