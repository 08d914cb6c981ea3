package roll.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.runtime.config.RunConfig;

/** Names of the roles of a run, such as actor_train. */
public final class Roles {
  /** Name of the role that trains the policy. */
  public static final String ACTOR_TRAIN = "actor_train";

  /** Name of the role that samples responses from the policy. */
  public static final String ACTOR_INFER = "actor_infer";

  /** Trains the value model; only where the estimator needs values. */
  public static final String CRITIC = "critic";

  /** Name of the role that scores with the model that training began with. */
  public static final String REFERENCE = "reference";

  /** Name of the role that plays the episodes. */
  public static final String ENVIRONMENT = "environment";

  /** Names of the roles that are trained. */
  public static final List<String> TRAINED = List.of(ACTOR_TRAIN, CRITIC);

  /** Roles with state that a checkpoint has, in the order in which they are saved. */
  public static final List<String> CHECKPOINTED = List.of(ACTOR_TRAIN, CRITIC, ENVIRONMENT);

  /** Prefix of the role names of reward models. */
  public static final String REWARD_MODELS = "reward_models.";

  /** Prefix of the role names of teachers. */
  public static final String TEACHERS = "teachers.";

  private Roles() {}

  /** Returns the role of the reward model {@code name}. */
  public static String rewardModel(String name) {
    return REWARD_MODELS + name;
  }

  /**
   * Returns every role of {@code run} with its configuration; the environment and custom roles have
   * that of actor_infer.
   */
  public static Map<String, WorkerConfig> of(RunConfig run) {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>(run.roles().byName());
    roles.put(ENVIRONMENT, run.roles().actorInfer());
    run.extensions().roles().forEach(own -> roles.put(own.role(), run.roles().actorInfer()));
    return roles;
  }
}
