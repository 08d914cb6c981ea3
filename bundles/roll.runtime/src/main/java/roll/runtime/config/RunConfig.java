package roll.runtime.config;

import java.nio.file.Path;
import roll.api.config.WorkerConfig;
import roll.api.strategy.SessionConfig;
import roll.runtime.config.algorithm.AlgorithmConfig;

/**
 * Typed configuration of one training run. Names follow ROLL's keys (camel case for snake case).
 *
 * @param expName name of the experiment
 * @param seed root of every random stream
 * @param outputDir folder of this run: {@code output_dir/exp_name}
 * @param schedule how many steps, and what happens every so many
 * @param sequenceLength most tokens in one trajectory, prompts included
 * @param devices into which the machine is divided
 * @param algorithm rewards, advantages, losses
 * @param roles those that have a model
 * @param rollout environments and how they are played
 * @param tracking where metrics are reported
 * @param extensions what is named beyond what this project knows of
 * @param places folders beside the output folder
 */
public record RunConfig(
    String expName,
    long seed,
    Path outputDir,
    ScheduleConfig schedule,
    int sequenceLength,
    DevicesConfig devices,
    AlgorithmConfig algorithm,
    ModelRoles roles,
    RolloutConfig rollout,
    TrackingConfig tracking,
    Extensions extensions,
    RunFoldersConfig places) {
  /** Creates the configuration of a run that writes into its output folder alone. */
  public RunConfig(
      String expName,
      long seed,
      Path outputDir,
      ScheduleConfig schedule,
      int sequenceLength,
      DevicesConfig devices,
      AlgorithmConfig algorithm,
      ModelRoles roles,
      RolloutConfig rollout,
      TrackingConfig tracking,
      Extensions extensions) {
    this(
        expName,
        seed,
        outputDir,
        schedule,
        sequenceLength,
        devices,
        algorithm,
        roles,
        rollout,
        tracking,
        extensions,
        RunFoldersConfig.NONE);
  }

  /** Returns this configuration with another output folder. */
  public RunConfig into(Path folder) {
    return new RunConfig(
        expName,
        seed,
        folder,
        schedule,
        sequenceLength,
        devices,
        algorithm,
        roles,
        rollout,
        tracking,
        extensions,
        places);
  }

  /** The checkpoint folder of the run. */
  public Path checkpointFolder() {
    Path own = places.checkpoints();
    return own == null ? outputDir : own;
  }

  /** Returns the folder of the episodes that are rendered after {@code step} complete steps. */
  public Path frames(int step) {
    Path own = places.frames();
    return own == null ? outputDir.resolve("frames") : own.resolve("step-" + step);
  }

  /** Returns the maximum tokens of a sample of the role {@code worker}. */
  public int sequenceLength(WorkerConfig worker) {
    return roles.rewardModels().values().stream()
        .filter(model -> model.worker().role().equals(worker.role()))
        .mapToInt(RewardModelConfig::sequenceLength)
        .findFirst()
        .orElse(sequenceLength);
  }

  /**
   * Returns whether the divergence of the policy from its reference is computed over the full
   * vocabulary.
   */
  public boolean divergences() {
    return roles.reference() != null && algorithm.kl().full();
  }

  /** Returns whether distributions of the policy and its reference are compared. */
  public boolean comparesDistributions() {
    return roles.reference() != null && (algorithm.kl().full() || algorithm.distill() != null);
  }

  /**
   * Whether what is computed together follows from the data alone: not in asynchronous training,
   * nor where programs are answered when they ask.
   */
  public boolean repeats() {
    return schedule.asyncRatio() == 0 && !rollout.timed();
  }

  /** Returns the configuration of a session with the strategy of {@code worker}. */
  public SessionConfig session(WorkerConfig worker) {
    return new SessionConfig(
        worker,
        seed,
        algorithm.maxGradNorm(),
        sequenceLength(worker),
        repeats(),
        devices.count(),
        devices.memory(),
        devices.nodes());
  }
}
