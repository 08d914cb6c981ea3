package roll.testkit;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.ModelConfig;
import roll.api.config.PromptConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalization;
import roll.api.loss.LossSettings;
import roll.api.loss.TrainInferCorrection;
import roll.api.strategy.Sampling;
import roll.runtime.config.CheckpointConfig;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.DevicesConfig;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.config.Extensions;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RolloutConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.RunFoldersConfig;
import roll.runtime.config.ScheduleConfig;
import roll.runtime.config.TeacherConfig;
import roll.runtime.config.TrackingConfig;
import roll.runtime.config.ValidationConfig;
import roll.runtime.config.algorithm.AdvantageConfig;
import roll.runtime.config.algorithm.AlgorithmConfig;
import roll.runtime.config.algorithm.BatchAdjustment;
import roll.runtime.config.algorithm.EstimatorConfig;
import roll.runtime.config.algorithm.KlConfig;
import roll.runtime.config.algorithm.RewardShapingConfig;
import roll.runtime.option.YamlOptions;

/** Small run configurations, as the loader creates them. */
public final class ExampleRunConfigs {
  private ExampleRunConfigs() {}

  /**
   * Returns a run of 3 steps with 12 trajectories each (4 groups of 3, environment {@code Game})
   * and a validation of 5 episodes; mini-batches are 2 × 2 samples, GRPO without KL.
   *
   * @param folder used for every path
   * @param epochs {@code ppo_epochs}
   */
  public static RunConfig small(Path folder, int epochs) {
    return small(folder, epochs, TrainInferCorrection.NONE);
  }

  /**
   * Returns the small run with a correction of the difference between sampling and training engine.
   *
   * @param folder used for every path
   * @param epochs {@code ppo_epochs}
   * @param correction the correction
   */
  public static RunConfig small(Path folder, int epochs, TrainInferCorrection correction) {
    return run(folder, epochs, correction, 0);
  }

  /**
   * Returns the small run of one epoch with asynchronous rollouts.
   *
   * @param folder used for every path
   * @param ratio {@code async_generation_ratio}
   */
  public static RunConfig asynchronous(Path folder, double ratio) {
    return run(folder, 1, TrainInferCorrection.NONE, ratio);
  }

  private static RunConfig run(
      Path folder, int epochs, TrainInferCorrection correction, double asyncRatio) {
    Sampling sampling = Sampling.of(4);
    EnvConfig game =
        new EnvConfig(
            "Game",
            "game",
            "trajectory",
            EnvLimits.steps(2),
            PromptConfig.of("{observation}"),
            Map.of());
    return new RunConfig(
        "small",
        42,
        folder,
        new ScheduleConfig(
            3,
            new CheckpointConfig(2, 0, true, false, null),
            1,
            new ValidationConfig(1, true, 5),
            3,
            12,
            asyncRatio),
        64,
        new DevicesConfig(0, 0),
        algorithm(epochs, correction),
        new ModelRoles(
            folder,
            worker("actor_train", folder),
            worker("actor_infer", folder),
            worker("reference", folder),
            new CriticConfig(worker("critic", folder), null, 0),
            Map.of()),
        new RolloutConfig(
            new EnvManagerConfig(List.of("Game"), List.of(4), 3, 0, "none", sampling),
            new EnvManagerConfig(List.of("Game"), List.of(5), 1, 0, "none", sampling),
            Map.of("Game", game),
            EnvMonitorConfig.STANDARD,
            null),
        new TrackingConfig(List.of(), Map.of()),
        Extensions.NONE);
  }

  /** Returns {@code run} with {@code extensions}. */
  public static RunConfig with(RunConfig run, Extensions extensions) {
    return RecordCopies.replace(run, "extensions", extensions);
  }

  /** Returns {@code run} with only {@code environments}. */
  public static RunConfig with(RunConfig run, EnvConfig... environments) {
    Map<String, EnvConfig> byTag = new LinkedHashMap<>();
    for (EnvConfig environment : environments) {
      byTag.put(environment.tag(), environment);
    }
    return with(run, RecordCopies.replace(run.rollout(), "customEnvs", byTag));
  }

  /** Returns {@code run} without environments, as for a supervised warm start. */
  public static RunConfig withoutEnvironments(RunConfig run) {
    EnvManagerConfig none =
        new EnvManagerConfig(List.of(), List.of(), 1, 0, "none", Sampling.of(4));
    RolloutConfig rollout = RecordCopies.replace(run.rollout(), "trainEnvs", none);
    return with(
        run,
        RecordCopies.replace(
            RecordCopies.replace(rollout, "valEnvs", none), "customEnvs", Map.of()));
  }

  /** Returns {@code run} with other trackers. */
  public static RunConfig tracked(RunConfig run, String... trackers) {
    return RecordCopies.replace(
        run, "tracking", RecordCopies.replace(run.tracking(), "trackers", List.of(trackers)));
  }

  /** Returns {@code run} with other options of its trackers, by tracker. */
  public static RunConfig withTrackerOptions(
      RunConfig run, Map<String, Map<String, Object>> options) {
    return RecordCopies.replace(
        run, "tracking", RecordCopies.replace(run.tracking(), "options", options));
  }

  /** Returns {@code run} with other devices. */
  public static RunConfig with(RunConfig run, DevicesConfig devices) {
    return RecordCopies.replace(run, "devices", devices);
  }

  /** Returns {@code run} with other models. */
  public static RunConfig with(RunConfig run, ModelRoles roles) {
    return RecordCopies.replace(run, "roles", roles);
  }

  /** Returns {@code run} with another algorithm. */
  public static RunConfig with(RunConfig run, AlgorithmConfig algorithm) {
    return RecordCopies.replace(run, "algorithm", algorithm);
  }

  /** Returns {@code run} with other environments and environment managers. */
  public static RunConfig with(RunConfig run, RolloutConfig rollout) {
    return RecordCopies.replace(run, "rollout", rollout);
  }

  /**
   * Returns {@code run} with the reward model {@code name}, with the settings of actor_infer.
   *
   * @param sampling sampling of a generative model; null for a scoring head
   */
  public static RunConfig withRewardModel(RunConfig run, String name, @Nullable Sampling sampling) {
    ModelRoles was = run.roles();
    WorkerConfig worker = worker("reward_models." + name, was.actorInfer().model().folder());
    Map<String, RewardModelConfig> models = new LinkedHashMap<>(was.rewardModels());
    models.put(name, new RewardModelConfig(worker, sampling, run.sequenceLength()));
    return with(run, RecordCopies.replace(was, "rewardModels", models));
  }

  /** Returns {@code run} with the teacher {@code name} of the environment {@code tag}. */
  public static RunConfig withTeacher(RunConfig run, String name, String tag) {
    ModelRoles was = run.roles();
    WorkerConfig worker = worker("teachers." + name, was.actorInfer().model().folder());
    Map<String, TeacherConfig> teachers = new LinkedHashMap<>(was.teachers());
    teachers.put(name, new TeacherConfig(worker, List.of(tag)));
    return with(run, RecordCopies.replace(was, "teachers", teachers));
  }

  /** Returns {@code run} with folders besides its output folder. */
  public static RunConfig with(RunConfig run, RunFoldersConfig places) {
    return RecordCopies.replace(run, "places", places);
  }

  /** Returns {@code worker} with another model. */
  public static WorkerConfig with(WorkerConfig worker, ModelConfig model) {
    return RecordCopies.replace(worker, "model", model);
  }

  /** Returns {@code worker} with other training settings. */
  public static WorkerConfig with(WorkerConfig worker, TrainingConfig training) {
    return RecordCopies.replace(worker, "training", training);
  }

  private static AlgorithmConfig algorithm(int epochs, TrainInferCorrection correction) {
    return new AlgorithmConfig(
        new EstimatorConfig("grpo", Map.of(), Map.of(), 1, 0.95),
        epochs,
        BatchAdjustment.COPY,
        true,
        1,
        new LossSettings(
            "ppo",
            Map.of(),
            0.2,
            0.2,
            null,
            0,
            KlPenalty.K3,
            0,
            LossSettings.Aggregation.SEQ_MEAN_TOKEN_MEAN,
            LossSettings.RatioType.TOKEN,
            correction,
            null),
        new RewardShapingConfig(
            new RewardNormalization(
                "traj_group_id",
                RewardNormalization.Scope.GROUP,
                RewardNormalization.Scope.GROUP,
                false),
            null,
            false),
        new AdvantageConfig(false, null),
        new KlConfig(false, "kl", 0, null, 10000));
  }

  private static WorkerConfig worker(String role, Path folder) {
    return new WorkerConfig(
        role,
        ModelConfig.of(folder, WorkerConfig.Dtype.FP32),
        "qwen2_5",
        "unigram",
        YamlOptions.strategy(role, Map.of()),
        new TrainingConfig(0.1, 0, 0.9, 0.999, 2, 2, "constant", 0, 9),
        List.of(),
        16);
  }
}
