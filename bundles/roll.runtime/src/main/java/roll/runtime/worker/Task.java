package roll.runtime.worker;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Batch;
import roll.api.data.Trajectory;
import roll.api.memory.DeviceMemory;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Weights;
import roll.runtime.pipeline.RolloutResult;

/**
 * What a worker is asked to do: a message, which may be answered elsewhere.
 *
 * @param <R> what the {@link TaskReply} has
 */
@ProviderType
public sealed interface Task<R> {
  /** Give the weights to be shared. */
  record ShareWeights() implements Task<Weights> {}

  /** Use these weights from now on. */
  record TakeWeights(Weights weights) implements Task<Done> {}

  /**
   * Play episodes.
   *
   * @param purpose {@code train}, {@code val}, or {@code greedy}: the levels of {@code train} once
   *     more, one episode a group, at temperature 0
   * @param step number of the pipeline step
   * @param drawn how many episodes are drawn as pictures
   */
  record Play(String purpose, int step, int drawn) implements Task<RolloutResult> {}

  /** Write a response to each request. */
  record Generate(List<GenerationRequest> requests) implements Task<List<Generation>> {}

  /** Free what can be had again until responses are asked for. */
  record Sleep() implements Task<Done> {}

  /** Have what was freed again: responses will be asked for. */
  record Wake() implements Task<Done> {}

  /**
   * Give the numbers on the work since the last time they were asked for, as metrics of the reply.
   */
  record Measure() implements Task<Done> {}

  /** Give the most that each device held for this role since the last time it was asked for. */
  record Held() implements Task<List<DeviceMemory>> {}

  /** Add what this role's model says of the batch, log-probs or values, as columns. */
  record Score(Batch batch) implements Task<Batch> {}

  /** Add the log-probs of this role's model with its adapters off, as those of the reference. */
  record ScoreReference(Batch batch) implements Task<Batch> {}

  /**
   * Choose among the trajectories that were played, or give them other rewards: asked of a role of
   * one's own. The answer has at least one of them, none twice, with the sequences they had.
   *
   * @param step number of the pipeline step
   */
  record EditTrajectories(List<Trajectory> trajectories, int step)
      implements Task<List<Trajectory>> {}

  /**
   * Choose among the samples of the batch, or change columns: asked of a role of one's own. The
   * answer has at least one sample with a token to be trained on, and all columns of the batch.
   *
   * @param step number of the pipeline step
   */
  record EditBatch(Batch batch, int step) implements Task<Batch> {}

  /**
   * Train on the batch.
   *
   * @param step number of the pipeline step
   */
  record Train(Batch batch, int step) implements Task<TrainReport> {}

  /**
   * Copy everything needed to continue, as it is now, to be written by the next {@link Save}; that
   * one may come while other tasks are under way.
   */
  record Snapshot() implements Task<Done> {}

  /**
   * Write everything needed to continue into this folder: what the last {@link Snapshot} copied,
   * which is then let go, or without one what there is now.
   */
  record Save(Path folder) implements Task<Done> {}

  /** Continue from this folder. */
  record Restore(Path folder) implements Task<Done> {}
}
