package roll.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.runtime.config.RunConfig;

/** The roles a run has. */
public final class Roles {
  /** Name of the role that trains the policy. */
  public static final String ACTOR_TRAIN = "actor_train";

  /** Samples from the policy. */
  public static final String ACTOR_INFER = "actor_infer";

  /** Trains the value model; only where the estimator needs values. */
  public static final String CRITIC = "critic";

  /** Scores with the model that training began with. */
  public static final String REFERENCE = "reference";

  /** Name of the role that plays the episodes. */
  public static final String ENVIRONMENT = "environment";

  /** Roles that are trained. */
  public static final List<String> TRAINED = List.of(ACTOR_TRAIN, CRITIC);

  /** Roles with state that a checkpoint has, in the order in which they are saved. */
  public static final List<String> CHECKPOINTED = List.of(ACTOR_TRAIN, CRITIC, ENVIRONMENT);

  /** Prefix of the role names of reward models. */
  public static final String REWARD_MODELS = "reward_models.";

  private Roles() {}

  /** The role of the reward model {@code name}. */
  public static String rewardModel(String name) {
    return REWARD_MODELS + name;
  }

  /**
   * Every role of {@code run} with its configuration; the environment and roles of one's own have
   * actor_infer's.
   */
  public static Map<String, WorkerConfig> of(RunConfig run) {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>(run.roles().byName());
    roles.put(ENVIRONMENT, run.roles().actorInfer());
    run.extensions().roles().forEach(own -> roles.put(own.role(), run.roles().actorInfer()));
    return roles;
  }
}
