package roll.torch.parallel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.strategy.DeviceMemory;
import roll.api.strategy.MicroBatches;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainedModel;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.Weights;
import roll.torch.AdamW;
import roll.torch.Device;
import roll.torch.HeadLoss;
import roll.torch.LearningRate;
import roll.torch.ModelFolder;
import roll.torch.Models;
import roll.torch.Parameters;
import roll.torch.Precision;
import roll.torch.TrainFolder;
import roll.torch.TrainState;
import roll.torch.collective.Collectives;

/** A model in training on several ranks, whatever its head. Owns the ranks, not their devices. */
abstract sealed class SpreadSession implements TrainedModel
    permits SpreadTrainSession, SpreadValueSession {
  /** ε of AdamW; the default of torch and of transformers. */
  private static final double EPSILON = 1e-8;

  private final List<Integer> devices;
  private final Layout layout;
  private final TrainingConfig training;
  private final TokenBudgets budgets;
  private final LearningRate schedule;
  private final AdamW.Settings settings;
  private final int scored;
  private final Ranks ranks;
  private final SpreadState state;
  private final TrainFolder checkpoint;
  private final ExecutorService thread;
  private boolean torn;

  /**
   * What a session is made of.
   *
   * @param models where weights are read
   * @param collectives how ranks meet
   * @param devices one for each rank
   * @param folder of the model
   * @param schedule of the learning rate
   * @param config what it is opened with
   * @param layout of the ranks
   */
  record Setup(
      Models models,
      Collectives collectives,
      List<Device> devices,
      ModelFolder folder,
      LearningRate schedule,
      SessionConfig config,
      Layout layout) {}

  /** Reads the weights and gives every rank its share. */
  SpreadSession(Setup setup) {
    SessionConfig config = setup.config();
    var worker = config.worker();
    this.devices = worker.devices();
    this.layout = setup.layout();
    this.training = worker.training();
    this.budgets = worker.budgets();
    this.schedule = setup.schedule();
    this.settings =
        new AdamW.Settings(
            training.beta1(),
            training.beta2(),
            EPSILON,
            training.weightDecay(),
            config.maxGradNorm());
    int length = config.sequenceLength();
    this.scored =
        budgets.infer() > 0 ? budgets.infer() : Math.multiplyExact(worker.inferBatchSize(), length);
    ModelFolder folder = setup.folder();
    this.ranks =
        new Ranks(
            setup.devices(),
            folder.spec(),
            Precision.of(worker.model()),
            layout,
            setup.collectives());
    this.state = new SpreadState(folder.spec(), layout, ranks);
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-ranks").daemon(true).factory());
    this.checkpoint = new TrainFolder(setup.models(), folder, worker.model().dtype(), state, null);
    fill(setup);
  }

  private void fill(Setup setup) {
    Device device = setup.devices().getFirst();
    device.call(
        () -> {
          try (Parameters whole =
              setup.models().read(device, setup.folder(), setup.config().seed())) {
            for (int i = 0; i < whole.spec().parameters().size(); i++) {
              state.write(TrainState.Kind.WEIGHT, i, 0, whole.memory(i));
            }
          }
          return true;
        });
    state.resume(0);
  }

  private <T> CompletableFuture<T> submit(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread.execute(
        () -> {
          try {
            if (torn) {
              throw new IllegalStateException(
                  "an optimizer step was made by some ranks only: continue from a checkpoint");
            }
            result.complete(work.call());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  /** What the head says of {@code batch}, in {@code count} columns, one cell a token. */
  final CompletableFuture<double[][]> ask(TokenBatch batch, int count) {
    return submit(
        () -> {
          double[][] columns = new double[count][batch.tokens().length];
          Work work = Work.of(batch, layout, share -> MicroBatches.byTokens(share, scored));
          ranks.all(
              rank -> {
                rank.score(work, columns);
                rank.rest();
                return true;
              },
              failure -> {});
          return columns;
        });
  }

  /** One optimizer step. */
  final CompletableFuture<UpdateReport> train(TokenBatch batch, HeadLoss loss) {
    return submit(() -> step(batch, loss));
  }

  private UpdateReport step(TokenBatch batch, HeadLoss loss) {
    Work work =
        Work.of(
            batch,
            layout,
            share ->
                budgets.train() > 0
                    ? MicroBatches.byTokens(share, budgets.train())
                    : MicroBatches.bySamples(share, training.microBatch()));
    OrderedLoss ordered = new OrderedLoss(loss);
    double norm =
        ranks
            .all(
                rank -> {
                  rank.accumulate(work, ordered);
                  return rank.reduce();
                },
                ordered::abort)
            .getFirst();
    double rate = schedule.at(training, state.steps());
    torn = true;
    ranks.all(
        rank -> {
          rank.step(state.steps() + 1, rate, norm, settings);
          rank.rest();
          return true;
        },
        failure -> {});
    torn = false;
    if (Double.isFinite(norm)) {
      state.steps(state.steps() + 1);
    }
    return new UpdateReport(norm, rate, !Double.isFinite(norm), ordered.seconds());
  }

  @Override
  public final Weights weights() {
    return state;
  }

  @Override
  public final CompletableFuture<Void> save(Path folder) {
    return submit(
        () -> {
          checkpoint.save(folder);
          return null;
        });
  }

  @Override
  public final CompletableFuture<Void> restore(Path folder) {
    return submit(
        () -> {
          checkpoint.restore(folder);
          return null;
        });
  }

  @Override
  public final List<DeviceMemory> held() {
    List<DeviceMemory> held = new ArrayList<>();
    for (int r = 0; r < layout.ranks(); r++) {
      held.add(ranks.ranks().get(r).held(devices.isEmpty() ? r : devices.get(r)));
    }
    return held;
  }

  /** Frees everything after what was asked for. */
  @Override
  public final void close() {
    try {
      CompletableFuture.runAsync(ranks::close, thread).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    } finally {
      thread.shutdown();
    }
  }
}
