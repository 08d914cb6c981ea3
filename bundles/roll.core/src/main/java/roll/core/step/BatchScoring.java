package roll.core.step;

import java.util.Map;
import roll.api.data.Batch;
import roll.api.loss.TrainInferCorrection;
import roll.api.scoring.Distributions;
import roll.core.Roles;
import roll.core.plan.PhaseRoles;
import roll.core.report.MemoryMetrics;
import roll.core.report.PhaseTimer;
import roll.core.role.ReferenceDistributions;
import roll.core.role.WorkerGroup;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;

/**
 * Scores the batch with the models of a run before any of them is trained on it.
 *
 * @param phases times the two phases
 * @param memoryMetrics records the memory held meanwhile
 * @param metrics metrics of the step, added to
 */
record BatchScoring(
    RunConfig run,
    WorkerGroup workers,
    PhaseTimer phases,
    MemoryMetrics memoryMetrics,
    Map<String, Double> metrics) {
  /**
   * Adds reference log-probs, values, old log-probs and divergences, as far as the run has use for
   * them.
   */
  Batch score(RewardShaping shaping, Batch played) throws InterruptedException {
    Batch compared =
        run.roles().compares()
            ? phases.run(PhaseRoles.REFERENCE, () -> scoreReference(played))
            : played;
    Batch scored = phases.run(PhaseRoles.OLD, () -> scoreOld(shaping, compared));
    return run.divergences()
        ? phases.run(PhaseRoles.DIVERGENCES, () -> measureDivergences(scored))
        : scored;
  }

  private Batch measureDivergences(Batch batch) throws InterruptedException {
    Distributions reference = ReferenceDistributions.of(run, workers, metrics);
    Batch measured =
        workers.perform(Roles.ACTOR_TRAIN, new Task.MeasureDivergences(batch, reference), metrics);
    memoryMetrics.take(PhaseRoles.DIVERGENCES, workers.peakMemory());
    return measured;
  }

  /** Adds the log-probs and values of the trained roles before they are trained on the batch. */
  private Batch scoreOld(RewardShaping shaping, Batch played) throws InterruptedException {
    Batch batch = workers.has(Roles.CRITIC) ? scored(Roles.CRITIC, played) : played;
    if (!run.algorithm().recomputeOldLogProbs()) {
      return batch.withColumn(Batch.OLD_LOG_PROBS, batch.column(Batch.BEHAVIOR_LOG_PROBS));
    }
    boolean needed =
        run.roles().compares()
            || shaping.needs(Batch.OLD_LOG_PROBS)
            || shaping.needs(Batch.SUM_PI_SQUARED)
            || updates(run, batch.samples()) > 1
            || correctsByOld();
    return needed ? scored(Roles.ACTOR_TRAIN, batch) : batch;
  }

  private boolean correctsByOld() {
    TrainInferCorrection correction = run.algorithm().loss().correction();
    return correction.corrects() && !correction.current();
  }

  private Batch scored(String role, Batch batch) throws InterruptedException {
    Batch scored = workers.perform(role, new Task.Score(batch), metrics);
    memoryMetrics.take(PhaseRoles.OLD, workers.peakMemory());
    return scored;
  }

  private Batch scoreReference(Batch batch) throws InterruptedException {
    Batch scored = new References(run.roles(), this::scoredBy, metrics).score(batch);
    memoryMetrics.take(PhaseRoles.REFERENCE, workers.peakMemory());
    return scored;
  }

  private Batch scoredBy(String reference, Batch batch) throws InterruptedException {
    return reference.equals(Roles.REFERENCE) && run.roles().referenceIsActor()
        ? workers.perform(Roles.ACTOR_TRAIN, new Task.ScoreReference(batch), metrics)
        : workers.perform(reference, new Task.Score(batch), metrics);
  }

  /** Optimizer steps over so many samples; with a single one the old log-probs are the current. */
  static long updates(RunConfig run, int samples) {
    long passes = run.algorithm().ppoEpochs();
    return passes * Math.ceilDiv(samples, run.roles().actorTrain().training().effectiveBatch());
  }
}
