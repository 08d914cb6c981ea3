package roll.runtime.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.EnvConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.api.strategy.SessionConfig;

/**
 * One training run, typed. Names follow ROLL's keys (camel case for snake case).
 *
 * @param expName name of the experiment
 * @param seed root of every random stream
 * @param outputDir folder of this run: {@code output_dir/exp_name}
 * @param schedule how many steps, and what happens every so many
 * @param sequenceLength most tokens in one trajectory, prompts included
 * @param pretrain model folder every role starts from, unless its model_args name another; the
 *     empty path in a rollout without a model
 * @param deviceCount into how many devices the machine is divided, or 0 for as many as it has cores
 * @param deviceMemory bytes that a device has, or 0 for its share of the machine's memory
 * @param algorithm rewards, advantages, losses
 * @param actorTrain the trained policy
 * @param actorInfer the sampling policy
 * @param reference the frozen policy, or null where nothing needs it
 * @param critic the value model, or null where nothing needs it
 * @param trainEnvs environments of the training rollout
 * @param valEnvs environments of the validation rollout
 * @param monitor how environments are watched over
 * @param customEnvs environments by tag
 * @param rewardModels models that rewards ask, by name
 * @param rolloutMock where rollouts are written or read, or null for neither
 * @param trackers ids of the trackers, in the order given
 * @param trackerOptions {@code tracker_kwargs} by tracker id
 * @param extensions what is named beyond what this project knows of
 */
public record RunConfig(
    String expName,
    long seed,
    Path outputDir,
    ScheduleConfig schedule,
    int sequenceLength,
    Path pretrain,
    int deviceCount,
    long deviceMemory,
    AlgorithmConfig algorithm,
    WorkerConfig actorTrain,
    WorkerConfig actorInfer,
    @Nullable WorkerConfig reference,
    @Nullable CriticConfig critic,
    EnvManagerConfig trainEnvs,
    EnvManagerConfig valEnvs,
    EnvMonitorConfig monitor,
    Map<String, EnvConfig> customEnvs,
    Map<String, RewardModelConfig> rewardModels,
    @Nullable RolloutMockConfig rolloutMock,
    List<String> trackers,
    Map<String, Map<String, Object>> trackerOptions,
    Extensions extensions) {
  /** Most tokens of a sample of the role {@code worker}. */
  public int sequenceLength(WorkerConfig worker) {
    return rewardModels.values().stream()
        .filter(model -> model.worker().role().equals(worker.role()))
        .mapToInt(RewardModelConfig::sequenceLength)
        .findFirst()
        .orElse(sequenceLength);
  }

  /** The roles that have a model, by name, in the order in which they depend on one another. */
  public Map<String, WorkerConfig> roles() {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>();
    roles.put("actor_train", actorTrain);
    roles.put("actor_infer", actorInfer);
    if (reference != null && !referenceIsActor()) {
      roles.put("reference", reference);
    }
    if (critic != null) {
      roles.put("critic", critic.worker());
    }
    rewardModels.values().forEach(model -> roles.put(model.worker().role(), model.worker()));
    return roles;
  }

  /** The environments that training or validation plays, in the order written. */
  public List<EnvConfig> playedEnvs() {
    return customEnvs.values().stream()
        .filter(env -> trainEnvs.tags().contains(env.tag()) || valEnvs.tags().contains(env.tag()))
        .toList();
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

  /** What a session of {@code worker}'s strategy is opened with. */
  public SessionConfig session(WorkerConfig worker) {
    return new SessionConfig(
        worker,
        seed,
        algorithm.maxGradNorm(),
        sequenceLength(worker),
        schedule.asyncRatio() == 0,
        deviceCount,
        deviceMemory);
  }
}
