package roll.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.strategy.TokenBatch;
import roll.decoder.DecoderParameters;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.RankProcess;
import roll.parallel.world.RankWorld;
import roll.parallel.world.ShardedModelSpec;
import roll.torch.ComputeFingerprint;
import roll.torch.Device;
import roll.torch.model.Parameters;
import roll.torch.model.WeightSource;

/**
 * A model on several ranks, and the thread that commands them, one task after another. Owns the
 * ranks, not their devices.
 */
final class ShardedModel {
  private final ShardedSession.Setup setup;
  private final LocalRanks here;
  private final RankProcesses processes;
  private final ShardedState state;
  private final ExecutorService thread;

  /** Reads the weights and distributes them to the ranks. */
  ShardedModel(ShardedSession.Setup setup, boolean trains) {
    this.setup = setup;
    RankWorld world = setup.world();
    if (world == null) {
      ShardedModelSpec order =
          new ShardedModelSpec(setup.config(), setup.folder().spec(), setup.layout(), trains);
      this.here = new LocalRanks(order, setup.devices(), setup.collectives(), setup.patches());
      this.processes = new RankProcesses(List.of(here), setup.collectives());
    } else {
      CompletableFuture<List<RankProcess>> others = world.open();
      this.here = open(setup, world, others);
      this.processes = with(here, others, setup.collectives());
    }
    this.state =
        new ShardedState(
            setup.folder().spec(), processes, setup.layout().trained(setup.folder().spec()));
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-ranks").daemon(true).factory());
    boolean filled = false;
    try {
      Device device = setup.devices().getFirst();
      device.call(
          () -> {
            try (Parameters whole =
                setup.models().read(device, setup.folder(), setup.config().seed())) {
              fill(whole);
            }
            return true;
          });
      state.resume(0);
      filled = true;
    } finally {
      if (!filled) {
        close();
      }
    }
  }

  /** Opens the ranks of this process while those of {@code others} are opened. */
  private static LocalRanks open(
      ShardedSession.Setup setup, RankWorld world, CompletableFuture<List<RankProcess>> others) {
    try {
      return new LocalRanks(
          world.here(),
          setup.devices(),
          setup.collectives(),
          world.group(),
          world.site(),
          setup.patches());
    } catch (RuntimeException failure) {
      world.fail(failure);
      RuntimeException theirs = others.handle(ShardedModel::closed).join();
      throw RankProcesses.lost(
          theirs == null || !(failure instanceof RankFailure) ? failure : theirs);
    }
  }

  /** Closes processes that are not needed; returns their failure, or null. */
  private static @Nullable RuntimeException closed(
      @Nullable List<RankProcess> processes, @Nullable Throwable failure) {
    if (processes != null) {
      processes.forEach(RankProcess::close);
    }
    return failure == null ? null : RankProcesses.thrown(failure);
  }

  private static RankProcesses with(
      LocalRanks here, CompletableFuture<List<RankProcess>> others, Collectives gate) {
    try {
      List<RankProcess> all = new ArrayList<>(List.of(here));
      all.addAll(others.join());
      return new RankProcesses(all, gate);
    } catch (CompletionException failure) {
      here.close();
      throw RankProcesses.lost(RankProcesses.thrown(failure));
    }
  }

  /** Distributes {@code whole} to the ranks; {@link ShardedState#resume} must follow. */
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
          state.write(i, first, part);
        }
      }
    }
  }

  /** Returns all processes with ranks of the model. */
  RankProcesses processes() {
    return processes;
  }

  /** Returns the fingerprint of this process; the others should run on equal machines. */
  ComputeFingerprint machine() {
    return here.machine();
  }

  ShardedState state() {
    return state;
  }

  /** Runs {@code work} after all work submitted before. */
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

  /**
   * Returns the head's output for {@code batch}, in {@code count} columns with one number for each
   * token.
   *
   * @param adapted whether to apply adapters, if there are any
   */
  CompletableFuture<double[][]> columns(TokenBatch batch, int count, boolean adapted) {
    return submit(
        () -> {
          double[][] columns = new double[count][batch.tokens().length];
          processes
              .all(process -> process.score(batch, count, adapted), failure -> {})
              .forEach(scored -> scored.into(columns));
          return columns;
        });
  }

  /** Returns the peak memory of each device since the previous call. */
  List<SessionMemory> peakMemory() {
    List<Integer> numbers = setup.config().worker().devices();
    List<SessionMemory> held = processes.peakMemory();
    return IntStream.range(0, held.size())
        .mapToObj(
            r -> new SessionMemory(numbers.isEmpty() ? -1 : numbers.get(r), held.get(r).bytes()))
        .toList();
  }

  /** Frees everything after all submitted work. */
  void close() {
    try {
      CompletableFuture.runAsync(processes::close, thread).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    } finally {
      state.close();
      thread.shutdown();
    }
  }
}
