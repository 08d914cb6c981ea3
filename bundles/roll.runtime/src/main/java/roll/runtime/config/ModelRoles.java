package roll.runtime.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;

/**
 * The roles of a run that have a model.
 *
 * @param pretrain model folder every role starts from, unless its model_args name another; the
 *     empty path in a rollout without a model
 * @param actorTrain the trained policy
 * @param actorInfer the sampling policy
 * @param reference the frozen policy, or null where nothing needs it
 * @param critic the value model, or null where nothing needs it
 * @param rewardModels models that rewards ask, by name
 * @param teachers frozen policies that take the reference's place for the samples of their tags, by
 *     name
 * @param actorScores whether actor_train is a reward model, which has a value head
 */
public record ModelRoles(
    Path pretrain,
    WorkerConfig actorTrain,
    WorkerConfig actorInfer,
    @Nullable WorkerConfig reference,
    @Nullable CriticConfig critic,
    Map<String, RewardModelConfig> rewardModels,
    Map<String, TeacherConfig> teachers,
    boolean actorScores) {
  /** Creates the roles of a run that trains a policy, without teachers. */
  public ModelRoles(
      Path pretrain,
      WorkerConfig actorTrain,
      WorkerConfig actorInfer,
      @Nullable WorkerConfig reference,
      @Nullable CriticConfig critic,
      Map<String, RewardModelConfig> rewardModels) {
    this(pretrain, actorTrain, actorInfer, reference, critic, rewardModels, Map.of(), false);
  }

  /**
   * The roles that have a model of their own, by name, in the order in which they depend on one
   * another.
   */
  public Map<String, WorkerConfig> byName() {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>();
    roles.put("actor_train", actorTrain);
    roles.put("actor_infer", actorInfer);
    if (reference != null && !referenceIsActor()) {
      roles.put("reference", reference);
    }
    teachers.values().forEach(teacher -> roles.put(teacher.worker().role(), teacher.worker()));
    if (critic != null) {
      roles.put("critic", critic.worker());
    }
    rewardModels.values().forEach(model -> roles.put(model.worker().role(), model.worker()));
    return roles;
  }

  /**
   * Returns the name of the stock worker of {@code role}: that of the role, but one worker serves
   * all reward models, the reference's all teachers, and the critic's trains a policy that scores.
   */
  public String worker(String role) {
    if (role.startsWith("teachers.")) {
      return "reference";
    }
    if (role.startsWith("reward_models.")) {
      return "reward_model";
    }
    return role.equals("actor_train") && actorScores ? "critic" : role;
  }

  /** Whether the policy is compared with a reference, teachers or both. */
  public boolean compares() {
    return reference != null || !teachers.isEmpty();
  }

  /** Whether {@code role} is a reward model that scores by a head. */
  public boolean scoring(String role) {
    return rewardModels.values().stream()
        .anyMatch(model -> model.scores() && model.worker().role().equals(role));
  }

  /** Whether the model of {@code role} has a value head: the critic, or one that scores. */
  public boolean valued(String role) {
    return role.equals("critic") || (role.equals("actor_train") && actorScores) || scoring(role);
  }

  /**
   * Whether the reference policy is the model of actor_train with its adapters off: where that has
   * adapters, and the reference no model, adapters or number format of its own.
   */
  public boolean referenceIsActor() {
    ModelConfig trained = actorTrain.model();
    return reference != null
        && trained.adapted()
        && reference.model().adapter() == null
        && reference.model().folder().equals(trained.folder())
        && reference.model().dtype() == trained.dtype();
  }
}
