package roll.torch.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig;
import roll.api.memory.DeviceMemory;
import roll.api.model.DecoderSpec;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Parameters;
import roll.torch.model.WeightSource;
import roll.torch.training.TrainState;

/**
 * A model on several ranks, and the thread that tells them what to do, one thing after another.
 * Owns the ranks, not their devices.
 */
final class ShardedModel {
  private final ShardedSession.Setup setup;
  private final Cutting cutting;
  private final Ranks ranks;
  private final ShardedState state;
  private final ExecutorService thread;

  /** Reads the weights and gives every rank its share. */
  ShardedModel(ShardedSession.Setup setup, boolean trains) {
    SessionConfig config = setup.config();
    WorkerConfig worker = config.worker();
    this.setup = setup;
    this.cutting = Cutting.scoring(worker, new Cutting.Tokens(tokens(config)));
    this.ranks =
        new Ranks(
            setup.devices(),
            setup.folder().spec(),
            Precision.of(worker.model()),
            setup.layout(),
            trains,
            setup.collectives());
    this.state = new ShardedState(setup.folder().spec(), setup.layout(), ranks);
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-ranks").daemon(true).factory());
    Device device = setup.devices().getFirst();
    device.call(
        () -> {
          try (Parameters whole = setup.models().read(device, setup.folder(), config.seed())) {
            fill(whole);
          }
          return true;
        });
    state.resume(0);
  }

  /** Most tokens that a rank scores at once. */
  static int tokens(SessionConfig config) {
    WorkerConfig worker = config.worker();
    return worker.budgets().infer() > 0
        ? worker.budgets().infer()
        : Math.multiplyExact(worker.inferBatchSize(), config.sequenceLength());
  }

  /** Gives every rank its share of {@code whole}; {@link ShardedState#resume} must follow. */
  void fill(WeightSource whole) {
    List<DecoderSpec.Parameter> parameters = DecoderParameters.of(whole.spec());
    try (var arena = Arena.ofConfined()) {
      long most = 1 << 22;
      var chunk = arena.allocate(ValueLayout.JAVA_FLOAT, most);
      for (int i = 0; i < parameters.size(); i++) {
        long size = parameters.get(i).size();
        for (long first = 0; first < size; first += most) {
          var part = chunk.asSlice(0, Math.min(most, size - first) * Float.BYTES);
          whole.read(i, first, part);
          state.write(TrainState.Kind.WEIGHT, i, first, part);
        }
      }
    }
  }

  Ranks ranks() {
    return ranks;
  }

  ShardedState state() {
    return state;
  }

  /** Does {@code work} after what was submitted before. */
  <T> CompletableFuture<T> submit(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread.execute(
        () -> {
          try {
            result.complete(work.call());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  /** What the head says of {@code batch}, in {@code count} columns, one cell per token. */
  CompletableFuture<double[][]> columns(TokenBatch batch, int count) {
    return submit(
        () -> {
          double[][] columns = new double[count][batch.tokens().length];
          ShardedBatch work = ShardedBatch.of(batch, setup.layout(), cutting);
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

  /** Most that each device held since this was last asked. */
  List<DeviceMemory> held() {
    List<Integer> numbers = setup.config().worker().devices();
    return IntStream.range(0, setup.layout().ranks())
        .mapToObj(r -> ranks.ranks().get(r).held(numbers.isEmpty() ? -1 : numbers.get(r)))
        .toList();
  }

  /** Frees everything after what was asked for. */
  void close() {
    try {
      CompletableFuture.runAsync(ranks::close, thread).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    } finally {
      thread.shutdown();
    }
  }
}
