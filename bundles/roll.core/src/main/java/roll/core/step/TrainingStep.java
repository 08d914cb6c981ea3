package roll.core.step;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.Trajectory;
import roll.api.estimator.AdvantageEstimator;
import roll.api.scoring.Distributions;
import roll.core.Roles;
import roll.core.output.RunLog;
import roll.core.plan.PhaseRoles;
import roll.core.report.MemoryMetrics;
import roll.core.report.PhaseTimer;
import roll.core.report.RunProgress;
import roll.core.role.ReferenceDistributions;
import roll.core.role.WorkerGroup;
import roll.core.trajectory.TrainedSamples;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.RoleConfig.Position;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.trace.Tracer;
import roll.runtime.worker.Task;
import roll.runtime.worker.TrainReport;

/** The phases of one training step, in the order of ROLL's agentic pipeline. */
public final class TrainingStep {
  /** Columns that a batch has before its rewards are shaped. */
  private static final ColumnKey<?>[] SCORED = {
    Batch.BEHAVIOR_LOG_PROBS,
    Batch.REFERENCE_LOG_PROBS,
    Batch.OLD_LOG_PROBS,
    Batch.VALUES,
    Batch.DIVERGENCES
  };

  private final RunConfig run;
  private final WorkerGroup workers;
  private final KlController controller;
  private final Staleness staleness;
  private final Map<String, Double> metrics;
  private final PhaseTimer phases;
  private final MemoryMetrics memoryMetrics;
  private final StepRollouts rollouts;
  private final BatchScoring scoring;
  private final CustomRoles ownRoles;
  private final Consumer<String> notices;
  private final NonFiniteGuard guard;
  private final Tracer tracer;
  private final int number;

  /**
   * Creates one training step of {@code run}.
   *
   * @param metrics of this step, added to phase after phase
   * @param notices are given lines for people
   * @param plan what the models are expected to hold, or null where that is not known
   * @param tracer begins the spans of the run
   * @param number of the step, counted from 0
   */
  public TrainingStep(
      RunConfig run,
      WorkerGroup workers,
      KlController controller,
      Staleness staleness,
      Map<String, Double> metrics,
      RunLog log,
      RunProgress progress,
      Consumer<String> notices,
      @Nullable MemoryPlan plan,
      Tracer tracer,
      int number) {
    this.run = run;
    this.workers = workers;
    this.controller = controller;
    this.staleness = staleness;
    this.metrics = metrics;
    this.tracer = tracer;
    this.phases = new PhaseTimer(metrics, log, progress, tracer);
    this.memoryMetrics = new MemoryMetrics(metrics, log, plan);
    this.rollouts =
        new StepRollouts(
            run, workers, phases, memoryMetrics, staleness, metrics, log, notices, number);
    this.scoring = new BatchScoring(run, workers, phases, memoryMetrics, metrics);
    this.ownRoles = new CustomRoles(run, workers, phases, metrics, number);
    this.notices = notices;
    this.guard =
        new NonFiniteGuard(
            run.outputDir(),
            number,
            samples -> BatchScoring.updates(run, samples),
            metrics,
            notices);
    this.number = number;
  }

  /** Returns the guard against non-finite numbers in this step. */
  public NonFiniteGuard guard() {
    return guard;
  }

  /**
   * Runs the whole step: rollout, scoring, reward shaping, training, metrics.
   *
   * @param groupsByTag groups of each tag; empty for those configured
   * @return what was played
   */
  public List<Trajectory> perform(AdvantageEstimator estimator, List<Integer> groupsByTag)
      throws InterruptedException {
    return tracer.step(number).around(() -> performed(estimator, groupsByTag));
  }

  private List<Trajectory> performed(AdvantageEstimator estimator, List<Integer> groupsByTag)
      throws InterruptedException {
    shareWeights();
    if (run.schedule().validatesAfter(number)) {
      rollouts.validate();
    }
    List<Trajectory> played = rollouts.train(groupsByTag);
    TrajectoryLog trajectories = new TrajectoryLog(run, workers, phases, tracer, number);
    TrainingBatch batch;
    try {
      batch = guard.passes(played) ? prepared(played, estimator, groupsByTag) : null;
    } catch (RuntimeException e) {
      trajectories.writeAfter(e, played);
      throw e;
    }
    trajectories.write(played, batch == null ? TrainedSamples.NONE : batch.samples(run));
    if (batch == null || !guard.passes(batch.trained(), Batch.ADVANTAGES, Batch.RETURNS)) {
      return played;
    }
    Batch ready = batch.estimated();
    Batch fitting = batch.trained();
    if (SampleMasks.leavesNone(fitting, run.algorithm().masks(), metrics)) {
      return played;
    }
    phases.run(PhaseRoles.TRAIN, () -> train(fitting));
    phases.run(
        "compute_data_metrics",
        () -> {
          DataMetrics.training(ready, metrics);
          return ready;
        });
    return played;
  }

  /**
   * Converts trajectories to the training batch; null if a model returned numbers that are not
   * finite.
   */
  private @Nullable TrainingBatch prepared(
      List<Trajectory> played, AdvantageEstimator estimator, List<Integer> groupsByTag)
      throws InterruptedException {
    List<Trajectory> edited = ownRoles.edit(played);
    RewardShaping shaping = new RewardShaping(run.algorithm(), controller, estimator);
    Batch complete = baselines(shaping, shaping.batch(edited), groupsByTag);
    offload();
    Batch compared = scoring.score(shaping, complete);
    if (!guard.passesModels(compared, SCORED)) {
      return null;
    }
    if (run.schedule().asyncRatio() > 0 && run.algorithm().recomputeOldLogProbs()) {
      staleness.compare(edited, compared, metrics);
    }
    Batch batch = ownRoles.edit(Position.LOG_PROBS, compared);
    Batch scored =
        phases.run(
            "cal_response_level_mask",
            () -> {
              DataMetrics.used(batch, metrics);
              return batch;
            });
    Batch normalized = phases.run("cal_norm_rewards", () -> shaping.normalize(scored, metrics));
    Batch rewarded = phases.run("cal_token_reward", () -> shaping.spread(normalized, metrics));
    Batch kept = SampleMasks.masked(rewarded, edited, run.algorithm().masks(), metrics);
    Batch estimated = phases.run("adv", () -> shaping.advantages(rewarded, kept, metrics));
    if (run.algorithm().distill() == null) {
      NoSignalNotice.tell(estimated, line -> notices.accept("step " + number + ": " + line));
    }
    Batch own = UngradedEpisodeMask.masked(ownRoles.edit(Position.ADVANTAGES, estimated), edited);
    Batch ready = TruncatedResponseMask.masked(own, edited, run.rollout().customEnvs(), metrics);
    return new TrainingBatch(ready, adjust(ready));
  }

  /** Adds what the greedy policy scores on the level of each sample, where that is needed. */
  private Batch baselines(RewardShaping shaping, Batch batch, List<Integer> groupsByTag)
      throws InterruptedException {
    return shaping.needs(Batch.REWARD_BASELINES)
        ? shaping.withBaselines(batch, rollouts.greedy(groupsByTag), metrics)
        : batch;
  }

  /**
   * The training data of a step.
   *
   * @param estimated all samples with advantages
   * @param trained the samples that fill optimizer batches
   */
  private record TrainingBatch(Batch estimated, Batch trained) {
    TrainedSamples samples(RunConfig run) {
      return TrainedSamples.of(estimated, trained, run.algorithm().recomputeOldLogProbs());
    }
  }

  private Batch adjust(Batch batch) {
    int unit = run.roles().actorTrain().training().effectiveBatch();
    return BatchSizeAdjustment.of(batch.samples(), unit, run.algorithm().adjustment())
        .apply(batch, run.seed(), number, metrics);
  }

  /** Trains the critic, and the actor too unless the critic is still warming up. */
  private boolean train(Batch batch) throws InterruptedException {
    CriticConfig critic = run.roles().critic();
    if (critic != null) {
      workers.perform(Roles.CRITIC, new Task.Train(batch, number), metrics);
      memoryMetrics.take(PhaseRoles.TRAIN, workers.peakMemory());
    }
    if (critic == null || critic.warmup() <= number) {
      DataMetrics.sequenceLengths(batch, metrics);
      Distributions teacher =
          run.algorithm().distill() == null
              ? null
              : ReferenceDistributions.of(run, workers, metrics);
      Task.Train task = new Task.Train(batch, number, teacher);
      TrainReport report = workers.perform(Roles.ACTOR_TRAIN, task, metrics);
      guard.report(report.problem(), batch);
      memoryMetrics.take(PhaseRoles.TRAIN, workers.peakMemory());
    }
    return true;
  }

  /** Validates the finished policy, in place of a step. */
  public void validateFinished() throws InterruptedException {
    tracer
        .step(number)
        .around(
            () -> {
              shareWeights();
              rollouts.validate();
              return true;
            });
  }

  /** Sends the trained weights to the sampling policy, and wakes it. */
  private void shareWeights() throws InterruptedException {
    phases.run(
        "model_update",
        () -> {
          var weights = workers.perform(Roles.ACTOR_TRAIN, new Task.ShareWeights(), metrics);
          staleness.shared(weights.version());
          workers.perform(Roles.ACTOR_INFER, new Task.TakeWeights(weights), metrics);
          return workers.perform(Roles.ACTOR_INFER, new Task.Wake(), metrics);
        });
  }

  /** Makes the sampling policy free its memory for training until it receives new weights. */
  private void offload() throws InterruptedException {
    if (workers.policySleeps()) {
      phases.run("offload", () -> workers.perform(Roles.ACTOR_INFER, new Task.Sleep(), metrics));
      workers.peakMemory(); // what was freed counts no longer
    }
  }
}
