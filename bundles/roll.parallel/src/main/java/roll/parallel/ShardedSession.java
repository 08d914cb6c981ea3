package roll.parallel;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.config.TrainingConfig;
import roll.api.memory.SessionMemory;
import roll.api.strategy.NumericsInfo;
import roll.api.strategy.RunPosition;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.Snapshot;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainedModel;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.WeightsHandle;
import roll.batching.Cutting;
import roll.batching.SharedPrefixes;
import roll.huggingface.ModelFolder;
import roll.parallel.collective.Collectives;
import roll.parallel.shard.Offload;
import roll.parallel.shard.OffloadFiles;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.RankWorld;
import roll.torch.Device;
import roll.torch.model.Models;
import roll.torch.training.AdamW;
import roll.torch.training.HeadOutputLoss;
import roll.torch.training.LearningRate;
import roll.torch.training.TrainFolder;
import roll.torch.vision.PicturePatches;

/** A language or value model in training on several ranks. */
abstract sealed class ShardedSession implements TrainedModel
    permits ShardedTrainSession, ShardedValueSession {
  private final ParallelLayout layout;
  private final TrainingConfig training;
  private final Cutting cutting;
  private final LearningRate schedule;
  private final AdamW.Settings settings;
  private final ShardedModel model;
  private final TrainFolder checkpoint;
  private boolean torn;
  private volatile @Nullable RunPosition position;

  /**
   * The components of a sharded session.
   *
   * @param models reads the weights
   * @param collectives connect the ranks
   * @param devices one for each rank of this process
   * @param folder of the model
   * @param schedule of the learning rate
   * @param config of the session
   * @param layout of the ranks
   * @param world the processes with ranks; null if this is the only one
   */
  record Setup(
      Models models,
      Collectives collectives,
      List<Device> devices,
      ModelFolder folder,
      LearningRate schedule,
      SessionConfig config,
      ParallelLayout layout,
      @Nullable RankWorld world) {
    /** Returns the patches of pictures, or null if the model has no vision. */
    @Nullable PicturePatches patches() {
      return models.patches(folder);
    }
  }

  /** Reads the weights and distributes them to the ranks. */
  ShardedSession(Setup setup) {
    SessionConfig config = setup.config();
    var worker = config.worker();
    this.layout = setup.layout();
    this.training = worker.training();
    this.cutting = SharedPrefixes.training(worker, setup.folder().spec(), 1);
    this.schedule = setup.schedule();
    this.settings = AdamW.Settings.of(training, config.maxGradNorm());
    this.model = new ShardedModel(setup, true);
    this.checkpoint =
        new TrainFolder(setup.models(), setup.folder(), worker.model().dtype(), model.state())
            .on(model.machine());
  }

  /**
   * Returns the head's output for {@code batch}, in {@code count} columns with one number for each
   * token.
   *
   * @param adapted whether to apply adapters, if there are any
   */
  final CompletableFuture<double[][]> ask(TokenBatch batch, int count, boolean adapted) {
    return model.columns(batch, count, adapted);
  }

  /** Makes an optimizer step of the sharded model. */
  final CompletableFuture<UpdateReport> train(TokenBatch batch, HeadOutputLoss loss) {
    RunPosition at = position;
    return model.submit(() -> step(batch, loss, at));
  }

  @Override
  public final void position(RunPosition next) {
    position = next;
  }

  private UpdateReport step(TokenBatch batch, HeadOutputLoss loss, @Nullable RunPosition at) {
    whole();
    ShardedState state = model.state();
    ShardedBatch parts = ShardedBatch.of(batch, layout, cutting);
    OrderedLoss ordered = new OrderedLoss(loss, parts);
    double norm = accumulate(batch, ordered);
    double rate = schedule.at(training, state.steps(), at);
    OptimizerStep step = new OptimizerStep(state.steps() + 1, rate, norm, settings);
    torn = true;
    var unused = model.processes().all(process -> process.step(step), failure -> {});
    torn = false;
    if (Double.isFinite(norm)) {
      state.steps(state.steps() + 1);
    }
    return new UpdateReport(norm, rate, !Double.isFinite(norm), ordered.seconds(), parts.shared());
  }

  private double accumulate(TokenBatch batch, OrderedLoss loss) {
    try {
      return model
          .processes()
          .all(process -> process.accumulate(batch, loss), loss::abort)
          .getFirst();
    } catch (RuntimeException e) {
      throw loss.failure(e);
    }
  }

  private void whole() {
    if (torn) {
      throw new IllegalStateException(
          "some ranks failed in the middle of an optimizer step: continue from a checkpoint");
    }
  }

  @Override
  public final WeightsHandle weights() {
    return model.state();
  }

  @Override
  public final CompletableFuture<Void> save(Path folder) {
    return model.submit(
        () -> {
          whole();
          checkpoint.save(folder);
          return null;
        });
  }

  @Override
  public final CompletableFuture<Snapshot> snapshot() {
    return model.submit(
        () -> {
          whole();
          Offload offload = layout.offload();
          boolean inFiles = offload.optimizer() || offload.parameters();
          return inFiles
              ? checkpoint.snapshot((n, arena) -> OffloadFiles.memory(offload.folder(), n, arena))
              : checkpoint.snapshot();
        });
  }

  @Override
  public final CompletableFuture<Void> restore(Path folder) {
    return model.submit(
        () -> {
          checkpoint.restore(folder);
          torn = false;
          return null;
        });
  }

  @Override
  public final NumericsInfo numericsInfo() {
    return checkpoint.numericsInfo();
  }

  @Override
  public final List<SessionMemory> peakMemory() {
    return model.peakMemory();
  }

  /** Frees everything after all submitted work. */
  @Override
  public final void close() {
    model.close();
  }
}
