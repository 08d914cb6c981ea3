package roll.core.step;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import roll.api.data.Trajectory;
import roll.core.Roles;
import roll.core.output.RunLog;
import roll.core.plan.PhaseRoles;
import roll.core.report.MemoryMetrics;
import roll.core.report.PhaseTimer;
import roll.core.role.Futures;
import roll.core.role.WorkerGroup;
import roll.core.trajectory.EpisodeGifs;
import roll.core.trajectory.UnknownTokenNotice;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.worker.Task;

/**
 * The rollouts of a training step: episodes to train on, of validation, and of greedy baselines.
 *
 * @param phases times them
 * @param memoryMetrics records the memory held meanwhile
 * @param staleness measures the age of what is trained on
 * @param metrics of the step, added to
 * @param log is given the stack traces of failed environments
 * @param notices are given lines for people
 * @param step number of the step
 */
record StepRollouts(
    RunConfig run,
    WorkerGroup workers,
    PhaseTimer phases,
    MemoryMetrics memoryMetrics,
    Staleness staleness,
    Map<String, Double> metrics,
    RunLog log,
    Consumer<String> notices,
    int step) {
  private static final int DRAWN_EPISODES = 4;

  /**
   * Plays the episodes that the step trains on.
   *
   * @param groupsByTag groups of each tag; empty for those configured
   */
  List<Trajectory> train(List<Integer> groupsByTag) throws InterruptedException {
    double ahead = run.schedule().asyncRatio();
    if (ahead == 0) { // what was done since the last rollout was none of the rollout's work
      Futures.await(workers.ask(Roles.ACTOR_INFER, new Task.Measure()));
    }
    RolloutResult result =
        phases.run(
            PhaseRoles.ROLLOUT,
            () ->
                workers.perform(
                    Roles.ENVIRONMENT, new Task.Play("train", step, 0, groupsByTag), metrics));
    timed("train", "rollout");
    workers.restRewardModels();
    memoryMetrics.take(PhaseRoles.ROLLOUT, workers.peakMemory());
    workers.perform(Roles.ACTOR_INFER, new Task.Measure(), metrics);
    report(result);
    if (step == 0) {
      UnknownTokenNotice.lines(result.trajectories(), workers.tokenizer(run.roles().actorInfer()))
          .forEach(line -> notices.accept("step 0: " + line));
    }
    DataMetrics.rollout(result.trajectories(), metrics);
    if (ahead > 0) {
      staleness.measure(result.trajectories(), (int) Math.ceil(ahead), metrics);
    }
    return List.copyOf(result.trajectories());
  }

  /** Plays the same levels with the greedy policy. */
  List<Trajectory> greedy(List<Integer> groupsByTag) throws InterruptedException {
    return phases
        .run("greedy", () -> played(new Task.Play("greedy", step, 0, groupsByTag)))
        .trajectories();
  }

  /** Plays the validation levels; renders the first few. */
  void validate() throws InterruptedException {
    RolloutResult result =
        phases.run("val", () -> played(new Task.Play("val", step, DRAWN_EPISODES)));
    timed("val", "val");
    report(result);
    DataMetrics.validation(result.trajectories(), metrics);
    ValidationMetrics.add(result.trajectories(), metrics);
    result.metrics().forEach((name, value) -> metrics.put("val/" + name, value));
    try {
      EpisodeGifs.write(run, step, result.pictures());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RolloutResult played(Task.Play play) throws InterruptedException {
    return Futures.await(workers.ask(Roles.ENVIRONMENT, play)).value();
  }

  /** Adds ROLL's second name for the time of a rollout that has just ended. */
  private void timed(String mode, String phase) {
    metrics.put(
        "time/get_batch_cost_" + mode, Objects.requireNonNull(metrics.get("time/step_" + phase)));
  }

  /**
   * Reports failed environments, each kind of failure once, and episodes without responses; the log
   * also has the stack trace.
   */
  private void report(RolloutResult result) {
    EmptyEpisodeNotice.lines(result.trajectories(), run.sequenceLength())
        .forEach(line -> notices.accept("step " + step + ": " + line));
    result
        .faults()
        .forEach(
            fault -> {
              notices.accept("step " + step + ": " + fault.problem());
              log.line(fault.stack());
            });
  }
}
