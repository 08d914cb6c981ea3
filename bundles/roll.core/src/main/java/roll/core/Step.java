package roll.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Trajectory;
import roll.api.estimator.AdvantageEstimator;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.Plan;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.worker.Task;

/** The phases of one step, in order (reference/roll.md §2.2). */
final class Step {
  private static final int DRAWN_EPISODES = 4;

  /** What is known of a batch before its rewards are shaped. */
  private static final String[] SCORED = {
    Batch.BEHAVIOUR_LOG_PROBS, Batch.REFERENCE_LOG_PROBS, Batch.OLD_LOG_PROBS, Batch.VALUES
  };

  private final RunConfig run;
  private final Crew crew;
  private final KlController controller;
  private final Staleness staleness;
  private final Map<String, Double> metrics;
  private final Phases phases;
  private final Holdings holdings;
  private final RunLog log;
  private final Consumer<String> notices;
  private final Inspection inspection;
  private final int number;

  Step(
      RunConfig run,
      Crew crew,
      KlController controller,
      Staleness staleness,
      Map<String, Double> metrics,
      RunLog log,
      Progress progress,
      Consumer<String> notices,
      @Nullable Plan plan,
      int number) {
    this.run = run;
    this.crew = crew;
    this.controller = controller;
    this.staleness = staleness;
    this.metrics = metrics;
    this.phases = new Phases(metrics, log, progress);
    this.holdings = new Holdings(metrics, log, plan);
    this.log = log;
    this.notices = notices;
    this.inspection =
        new Inspection(
            run.outputDir(), number, updates(run.schedule().rolloutBatchSize()), metrics, notices);
    this.number = number;
  }

  /** What was found not finite in this step. */
  Inspection inspection() {
    return inspection;
  }

  /** The whole step: play, score, shape, train, describe. */
  void perform(AdvantageEstimator estimator) throws InterruptedException {
    shareWeights();
    if (run.schedule().validatesAfter(number)) {
      validate();
    }
    List<Trajectory> played = play();
    if (!inspection.passes(played)) {
      return;
    }
    RewardShaping shaping = new RewardShaping(run.algorithm(), controller, estimator);
    Batch complete = baselines(shaping, shaping.batch(played));
    offload();
    Batch batch = score(shaping, complete);
    if (!inspection.passesModels(batch, SCORED)) {
      return;
    }
    Batch scored =
        phases.run(
            "cal_response_level_mask",
            () -> {
              DataMetrics.used(batch, metrics);
              return batch;
            });
    Batch normalized = phases.run("cal_norm_rewards", () -> shaping.normalize(scored, metrics));
    Batch rewarded = phases.run("cal_token_reward", () -> shaping.spread(normalized, metrics));
    Batch ready = phases.run("adv", () -> shaping.advantages(rewarded, metrics));
    Batch fitting = adjust(ready);
    if (!inspection.passes(fitting, Batch.ADVANTAGES, Batch.RETURNS)) {
      return;
    }
    phases.run(Duty.TRAIN, () -> train(new Task.Train(fitting, number)));
    phases.run(
        "compute_data_metrics",
        () -> {
          DataMetrics.training(ready, metrics);
          return ready;
        });
  }

  private Batch adjust(Batch batch) {
    int unit = run.actorTrain().training().effectiveBatch();
    return Adjustment.of(batch.samples(), unit, run.algorithm().adjustment())
        .apply(batch, run.seed(), number, metrics);
  }

  /** Trains the critic, and the actor too unless the critic is still warming up. */
  private boolean train(Task.Train task) throws InterruptedException {
    CriticConfig critic = run.critic();
    if (critic != null) {
      crew.perform("critic", task, metrics);
      holdings.take(Duty.TRAIN, crew.held());
    }
    if (critic == null || critic.warmup() <= number) {
      DataMetrics.sequenceLengths(task.batch(), metrics);
      inspection.report(crew.perform("actor_train", task, metrics).problem(), task.batch());
      holdings.take(Duty.TRAIN, crew.held());
    }
    return true;
  }

  /** Gives the trained weights to the sampling policy, and wakes it. */
  void shareWeights() throws InterruptedException {
    phases.run(
        "model_update",
        () -> {
          var weights =
              Objects.requireNonNull(
                  crew.perform("actor_train", new Task.ShareWeights(), metrics).weights());
          staleness.shared(weights.version());
          crew.perform("actor_infer", new Task.TakeWeights(weights), metrics);
          return crew.perform("actor_infer", new Task.Wake(), metrics);
        });
  }

  /** Has the sampling policy free what training can use, until it is given new weights. */
  private void offload() throws InterruptedException {
    if (crew.sampler().sleeps()) {
      phases.run("offload", () -> crew.perform("actor_infer", new Task.Sleep(), metrics));
      crew.held(); // what was freed counts no longer
    }
  }

  /** Plays the validation levels; draws the first few. */
  void validate() throws InterruptedException {
    RolloutResult result =
        phases.run(
            "val",
            () ->
                Objects.requireNonNull(
                    Phases.await(
                            crew.ask("environment", new Task.Play("val", number, DRAWN_EPISODES)))
                        .rollout()));
    timed("val");
    report(result);
    DataMetrics.validation(result.trajectories(), metrics);
    ValidationMetrics.add(result.trajectories(), metrics);
    result.metrics().forEach((name, value) -> metrics.put("val/" + name, value));
    try {
      Frames.write(run.outputDir().resolve("frames"), result.pictures());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Trajectory> play() throws InterruptedException {
    double ahead = run.schedule().asyncRatio();
    if (ahead == 0) { // what was done since the last rollout was none of the rollout's work
      Phases.await(crew.ask("actor_infer", new Task.Measure()));
    }
    RolloutResult result =
        phases.run(
            Duty.ROLLOUT,
            () ->
                Objects.requireNonNull(
                    crew.perform("environment", new Task.Play("train", number, 0), metrics)
                        .rollout()));
    timed("train");
    crew.restRewardModels();
    holdings.take(Duty.ROLLOUT, crew.held());
    crew.perform("actor_infer", new Task.Measure(), metrics);
    report(result);
    DataMetrics.rollout(result.trajectories(), metrics);
    if (ahead > 0) {
      staleness.measure(result.trajectories(), (int) Math.ceil(ahead), metrics);
    }
    return phases.run("log", () -> logged(result.trajectories()));
  }

  /**
   * Tells of environments that failed, each kind of failure once, and of those in which nothing was
   * said; the log also has the stack.
   */
  private void report(RolloutResult result) {
    Silent.lines(result.trajectories(), run.sequenceLength())
        .forEach(line -> notices.accept("step " + number + ": " + line));
    result
        .faults()
        .forEach(
            fault -> {
              notices.accept("step " + number + ": " + fault.problem());
              log.line(fault.stack());
            });
  }

  /** ROLL's second name for the time of a rollout that has just ended. */
  private void timed(String mode) {
    String phase = mode.equals("val") ? "val" : "rollout";
    metrics.put(
        "time/get_batch_cost_" + mode, Objects.requireNonNull(metrics.get("time/step_" + phase)));
  }

  private List<Trajectory> logged(List<Trajectory> trajectories) {
    int period = run.schedule().loggingSteps();
    if (period > 0 && number % period == 0) {
      try {
        new TrajectoryFiles(run.outputDir(), crew.tokenizer(run.actorInfer()))
            .write(number, trajectories);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new ArrayList<>(trajectories);
  }

  /** Adds what the greedy policy scores on the level of each sample, where that is needed. */
  private Batch baselines(RewardShaping shaping, Batch batch) throws InterruptedException {
    if (!shaping.needs(Batch.REWARD_BASELINES)) {
      return batch;
    }
    RolloutResult greedy =
        phases.run(
            "greedy",
            () ->
                Objects.requireNonNull(
                    Phases.await(crew.ask("environment", new Task.Play("greedy", number, 0)))
                        .rollout()));
    return shaping.withBaselines(batch, greedy.trajectories(), metrics);
  }

  private Batch score(RewardShaping shaping, Batch played) throws InterruptedException {
    Batch compared =
        run.reference() == null ? played : phases.run(Duty.REFERENCE, () -> scoreReference(played));
    return phases.run(Duty.OLD, () -> scoreOld(shaping, compared));
  }

  /** Adds what the trained roles say of the batch before they are trained on it. */
  private Batch scoreOld(RewardShaping shaping, Batch played) throws InterruptedException {
    Batch batch = crew.has("critic") ? scored("critic", played) : played;
    if (!run.algorithm().recomputeOldLogProbs()) {
      return batch.withTokens(Batch.OLD_LOG_PROBS, batch.tokenColumn(Batch.BEHAVIOUR_LOG_PROBS));
    }
    boolean needed =
        run.reference() != null
            || shaping.needs(Batch.OLD_LOG_PROBS)
            || shaping.needs(Batch.SUM_PI_SQUARED)
            || updates(batch.samples()) > 1
            || run.algorithm().loss().correction().corrects();
    return needed ? scored("actor_train", batch) : batch;
  }

  private Batch scored(String role, Batch batch) throws InterruptedException {
    Batch scored =
        Objects.requireNonNull(crew.perform(role, new Task.Score(batch), metrics).batch());
    holdings.take(Duty.OLD, crew.held());
    return scored;
  }

  private Batch scoreReference(Batch batch) throws InterruptedException {
    Batch scored =
        Objects.requireNonNull(
            (run.referenceIsActor()
                    ? crew.perform("actor_train", new Task.ScoreReference(batch), metrics)
                    : crew.perform("reference", new Task.Score(batch), metrics))
                .batch());
    holdings.take(Duty.REFERENCE, crew.held());
    return scored;
  }

  /** Optimizer steps over so many samples; with a single one the old log-probs are the current. */
  private long updates(int samples) {
    long passes = run.algorithm().ppoEpochs();
    return passes * Math.ceilDiv(samples, run.actorTrain().training().effectiveBatch());
  }
}
