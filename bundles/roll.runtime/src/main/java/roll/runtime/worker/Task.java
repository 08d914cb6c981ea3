package roll.runtime.worker;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Batch;
import roll.api.data.Trajectory;
import roll.api.memory.SessionMemory;
import roll.api.scoring.Distributions;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.WeightsHandle;
import roll.runtime.pipeline.RolloutResult;

/**
 * A message that asks a worker for one operation; the worker may be on another node.
 *
 * @param <R> value of the {@link TaskReply}
 */
@ProviderType
public sealed interface Task<R> {
  /** Return the weights to be shared. */
  record ShareWeights() implements Task<WeightsHandle> {}

  /** Task: use these weights from now on. */
  record TakeWeights(WeightsHandle weights) implements Task<EmptyResult> {}

  /**
   * Task: play episodes.
   *
   * @param purpose {@code train}, {@code val}, or {@code greedy}: the levels of {@code train}
   *     again, one episode per group, at temperature 0
   * @param step number of the pipeline step
   * @param drawn number of episodes that are rendered
   * @param groupsByTag groups of each tag, as many together as configured; empty for those
   *     configured
   */
  record Play(String purpose, int step, int drawn, List<Integer> groupsByTag)
      implements Task<RolloutResult> {
    /** Creates the task of playing the configured groups. */
    public Play(String purpose, int step, int drawn) {
      this(purpose, step, drawn, List.of());
    }
  }

  /** Generate a response to each request. */
  record Generate(List<GenerationRequest> requests) implements Task<List<Generation>> {}

  /**
   * Task: return the score of the role's value head at the last token of each sequence.
   *
   * @param sequences token ids, at least one each
   */
  record ScoreSequences(List<int[]> sequences) implements Task<double[]> {}

  /** Free resources that can be restored before the next generation. */
  record Sleep() implements Task<EmptyResult> {}

  /** Restore the freed resources before generation. */
  record Wake() implements Task<EmptyResult> {}

  /** Return the load of the engine since the last {@code Load}. */
  record Load() implements Task<EngineLoad> {}

  /** Return the measurements since the last {@code Measure} as metrics of the reply. */
  record Measure() implements Task<EmptyResult> {}

  /** Return the peak memory of this role on each device since the last {@code Held}. */
  record Held() implements Task<List<SessionMemory>> {}

  /** Add the log-probs or values that this role's model computes for the batch, as columns. */
  record Score(Batch batch) implements Task<Batch> {}

  /**
   * Task: add the log-probs of the role's model without its adapters as the reference log-probs.
   */
  record ScoreReference(Batch batch) implements Task<Batch> {}

  /**
   * Task: return the role's token distributions, to be compared with another role's on the same
   * device.
   */
  record LendDistributions() implements Task<Distributions> {}

  /**
   * Task: add the divergences of the role's distributions from the reference's, as a column.
   *
   * @param reference null for this role's model without its adapters
   */
  record MeasureDivergences(Batch batch, @Nullable Distributions reference)
      implements Task<Batch> {}

  /**
   * Select among the played trajectories or change their rewards; sent to custom roles only. The
   * reply has at least one of them, none twice, with unchanged sequences.
   *
   * @param step number of the pipeline step
   */
  record EditTrajectories(List<Trajectory> trajectories, int step)
      implements Task<List<Trajectory>> {}

  /**
   * Select among the samples of the batch or change columns; sent to custom roles only. The reply
   * has at least one sample with a token to be trained on, and all columns of the batch.
   *
   * @param step number of the pipeline step
   */
  record EditBatch(Batch batch, int step) implements Task<Batch> {}

  /**
   * Task: train on the batch.
   *
   * @param step number of the pipeline step
   * @param teacher the reference's distributions if the run distills; null for those of this role's
   *     model without its adapters
   */
  record Train(Batch batch, int step, @Nullable Distributions teacher)
      implements Task<TrainReport> {
    /** Creates the task of training without a teacher of its own. */
    public Train(Batch batch, int step) {
      this(batch, step, null);
    }
  }

  /**
   * Copy the current state needed to continue, to be written by the next {@link Save}, which may
   * run concurrently with other tasks.
   */
  record Snapshot() implements Task<EmptyResult> {}

  /**
   * Write everything needed to continue into this folder: the copy of the last {@link Snapshot},
   * which is then released, or without one the current state.
   */
  record Save(Path folder) implements Task<EmptyResult> {}

  /** Task: restore the state from a checkpoint folder. */
  record Restore(Path folder) implements Task<EmptyResult> {}
}
