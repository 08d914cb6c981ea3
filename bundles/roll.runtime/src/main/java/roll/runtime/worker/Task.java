package roll.runtime.worker;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.data.Batch;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Weights;

/** What a worker is asked to do. */
public sealed interface Task {
  /** What a role answers that has no part in this task: a failed future that names both. */
  default CompletableFuture<WorkResult> notFor(String role) {
    return CompletableFuture.failedFuture(
        new IllegalArgumentException(role + " has no part in " + getClass().getSimpleName()));
  }

  /** Give the weights to be shared. */
  record ShareWeights() implements Task {}

  /** Use these weights from now on. */
  record TakeWeights(Weights weights) implements Task {}

  /**
   * Play episodes.
   *
   * @param purpose {@code train}, {@code val}, or {@code greedy}: the levels of {@code train} once
   *     more, one episode a group, at temperature 0
   * @param step number of the pipeline step
   * @param drawn how many episodes are drawn as pictures
   */
  record Play(String purpose, int step, int drawn) implements Task {}

  /** Write a response to each request. */
  record Generate(List<GenerationRequest> requests) implements Task {}

  /** Free what can be had again until responses are asked for. */
  record Sleep() implements Task {}

  /** Have what was freed again: responses will be asked for. */
  record Wake() implements Task {}

  /** Give the numbers on the work since the last time they were asked for, as metrics. */
  record Measure() implements Task {}

  /** Give the most that each device held for this role since the last time it was asked for. */
  record Held() implements Task {}

  /** Add this role's log-probs to the batch. */
  record Score(Batch batch) implements Task {}

  /** Add the log-probs of this role's model with its adapters off, as those of the reference. */
  record ScoreReference(Batch batch) implements Task {}

  /**
   * Train on the batch.
   *
   * @param step number of the pipeline step
   */
  record Train(Batch batch, int step) implements Task {}

  /**
   * Copy everything needed to continue, as it is now, to be written by the next {@link Save}; that
   * one may come while other tasks are under way.
   */
  record Snapshot() implements Task {}

  /**
   * Write everything needed to continue into this folder: what the last {@link Snapshot} copied,
   * which is then let go, or without one what there is now.
   */
  record Save(Path folder) implements Task {}

  /** Continue from this folder. */
  record Restore(Path folder) implements Task {}
}
