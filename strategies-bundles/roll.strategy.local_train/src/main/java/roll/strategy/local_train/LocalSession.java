package roll.strategy.local_train;

import ai.djl.ndarray.NDList;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.memory.MemoryKind;
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
import roll.decoder.ModelMemoryEstimate;
import roll.huggingface.ModelFolder;
import roll.torch.ComputeFingerprint;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.ModelDistributions;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;
import roll.torch.model.Teacher;
import roll.torch.model.TrainedParameters;
import roll.torch.training.GradientAccumulator;
import roll.torch.training.HeadOutputLoss;
import roll.torch.training.LearningRate;
import roll.torch.training.LocalTrainState;
import roll.torch.training.Optimizer;
import roll.torch.training.TrainFolder;
import roll.torch.vision.PicturePatches;

/** A language or value model with its gradients and its optimizer on one device. Owns all three. */
abstract sealed class LocalSession implements TrainedModel
    permits LocalTrainSession, LocalValueSession {
  private final Device device;
  private final long seed;
  private final TrainingConfig training;
  private final Cutting cutting;
  private final Cutting scored;
  private final Cutting compared;
  private final LearningRate schedule;
  private final Parameters parameters;
  private final GradientAccumulator accumulation;
  private final Decoder decoder;
  private final Optimizer optimizer;
  private final Scorer scorer;
  private final @Nullable Decoder withoutAdapters;
  private final TrainFolder checkpoint;
  private final List<SessionMemory> held;
  private volatile @Nullable RunPosition position;

  /**
   * The components of a training session.
   *
   * @param trained indices of the trained parameters
   * @param lanes number of parallel micro-batches
   */
  record Setup(
      Models models,
      Device device,
      ModelFolder folder,
      List<Integer> trained,
      LearningRate schedule,
      SessionConfig config,
      int lanes) {}

  /** Creates a local session and reads the weights. Only on the compute thread. */
  LocalSession(Setup setup) {
    SessionConfig config = setup.config();
    ModelFolder folder = setup.folder();
    var worker = config.worker();
    this.device = setup.device();
    this.seed = config.seed();
    this.training = worker.training();
    this.cutting = SharedPrefixes.training(worker, folder.spec(), setup.lanes());
    this.schedule = setup.schedule();
    Dtype dtype = worker.model().dtype();
    boolean adapted = folder.spec().adapter() != null;
    if (adapted) {
      // with adapters the base model is read-only
      this.parameters = setup.models().map(device, folder, config.seed(), dtype, setup.trained());
    } else {
      this.parameters = setup.models().read(device, folder, config.seed());
      parameters.train(setup.trained());
      if (dtype == Dtype.BF16) {
        parameters.narrow(device);
      }
      parameters.join();
    }
    int length = config.sequenceLength();
    Precision precision = Precision.of(worker.model());
    PicturePatches patches = setup.models().patches(folder);
    this.accumulation =
        new GradientAccumulator(
            device,
            parameters,
            precision,
            length,
            patches,
            worker.model().checkpointing(),
            setup.lanes());
    this.decoder = new Decoder(device, folder.spec(), precision, length, patches);
    this.optimizer = Optimizer.of(device, parameters, training, config.maxGradNorm());
    this.withoutAdapters =
        adapted ? Decoder.withoutAdapters(device, folder.spec(), precision, length, patches) : null;
    long tokens = Math.min((long) worker.inferBatchSize() * length, Integer.MAX_VALUE);
    this.scored =
        SharedPrefixes.scoring(
            Cutting.scoring(worker, new Cutting.Tokens((int) tokens)), worker, folder.spec());
    this.compared = SharedPrefixes.scoring(Cutting.frozen(worker, length), worker, folder.spec());
    this.scorer = new Scorer(device, decoder, scored);
    this.checkpoint =
        new TrainFolder(
                setup.models(),
                folder,
                worker.model().dtype(),
                new LocalTrainState(parameters, optimizer))
            .on(ComputeFingerprint.of(device, Decoder.linear(folder.spec(), precision)));
    this.held = SessionMemory.each(worker.devices(), state(setup.lanes()));
  }

  /**
   * Returns the bytes that live as long as this session, by its tensors; activations are not
   * counted.
   */
  private Map<MemoryKind, Long> state(int lanes) {
    TrainedParameters trained = parameters.trained();
    NDList masters = new NDList(trained.masters());
    masters.removeIf(master -> trained.tensors().stream().anyMatch(tensor -> tensor == master));
    return Map.of(
        MemoryKind.PARAMETERS,
        new ModelMemoryEstimate(parameters.spec()).inference(parameters.dtype()),
        MemoryKind.GRADIENTS,
        lanes * bytes(accumulation.gradients().tensors()),
        MemoryKind.OPTIMIZER,
        bytes(masters) + optimizer.bytes());
  }

  /** Returns the bytes of f32 tensors. */
  private static long bytes(NDList tensors) {
    return tensors.stream().mapToLong(tensor -> Float.BYTES * tensor.getShape().size()).sum();
  }

  /** Runs {@code scoring} with the current weights. */
  final <T> CompletableFuture<T> ask(BiFunction<Scorer, Parameters, T> scoring) {
    return device.submit(() -> scoring.apply(scorer, parameters));
  }

  /**
   * Runs {@code scoring} with the adapters switched off.
   *
   * @throws UnsupportedOperationException through the future, if there are no adapters
   */
  final <T> CompletableFuture<T> askBase(BiFunction<Scorer, Parameters, T> scoring) {
    return device.submit(
        () -> scoring.apply(new Scorer(device, base().decoder(), scored), parameters));
  }

  /** Runs {@code scoring} in micro-batches of the size of a frozen model's. */
  final <T> CompletableFuture<T> compare(BiFunction<Scorer, Parameters, T> scoring) {
    return device.submit(() -> scoring.apply(new Scorer(device, decoder, compared), parameters));
  }

  /**
   * Returns the base model, with adapters switched off; only on the compute thread.
   *
   * @throws UnsupportedOperationException if there are no adapters
   */
  final ModelDistributions base() {
    if (withoutAdapters == null) {
      throw new UnsupportedOperationException("the model has no adapters");
    }
    return new ModelDistributions(device, withoutAdapters, parameters);
  }

  /** Makes an optimizer step of the model. */
  final CompletableFuture<UpdateReport> train(TokenBatch batch, HeadOutputLoss loss) {
    return train(batch, loss, () -> null);
  }

  /**
   * Makes an optimizer step of the model.
   *
   * @param teacher asked for on the compute thread; may return null
   */
  final CompletableFuture<UpdateReport> train(
      TokenBatch batch, HeadOutputLoss loss, Supplier<@Nullable Teacher> teacher) {
    RunPosition at = position;
    return device.submit(() -> step(batch, loss, at, teacher.get()));
  }

  @Override
  public final void position(RunPosition next) {
    position = next;
  }

  private UpdateReport step(
      TokenBatch batch, HeadOutputLoss loss, @Nullable RunPosition at, @Nullable Teacher teacher) {
    long drops = RandomStreams.seed(seed, "update", optimizer.steps());
    Teacher taught = teacher == null ? null : teacher.on(device);
    double lossSeconds = accumulation.run(batch, cutting, loss, drops, taught);
    double rate = schedule.at(training, optimizer.steps(), at);
    checkpoint.settle();
    double norm = optimizer.step(accumulation.gradients().tensors(), rate);
    parameters.version(optimizer.steps());
    double shared = cutting.shared(batch, cutting.parts(batch));
    return new UpdateReport(norm, rate, !Double.isFinite(norm), lossSeconds, shared);
  }

  @Override
  public final NumericsInfo numericsInfo() {
    return checkpoint.numericsInfo();
  }

  @Override
  public final List<SessionMemory> peakMemory() {
    return device.observed(held);
  }

  @Override
  public final WeightsHandle weights() {
    return parameters;
  }

  @Override
  public final CompletableFuture<Void> save(Path folder) {
    return device.submit(
        () -> {
          checkpoint.save(folder);
          return null;
        });
  }

  @Override
  public final CompletableFuture<Snapshot> snapshot() {
    return device.submit(checkpoint::snapshot);
  }

  @Override
  public final CompletableFuture<Void> restore(Path folder) {
    return device.submit(
        () -> {
          checkpoint.settle();
          checkpoint.restore(folder);
          return null;
        });
  }

  /** Frees weights, gradients and moments after all submitted work. */
  @Override
  public final void close() {
    device.call(
        () -> {
          checkpoint.settle();
          optimizer.close();
          decoder.close();
          if (withoutAdapters != null) {
            withoutAdapters.close();
          }
          accumulation.close();
          parameters.close();
          return true;
        });
  }
}
