package roll.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.parallel.shard.ShardMap;
import roll.parallel.world.RankProcess;
import roll.parallel.world.StateRange;
import roll.torch.Device;
import roll.torch.model.WeightSource;
import roll.torch.training.TrainState;

/**
 * The training state of a model sharded over ranks, presented as one unsharded state. Read and
 * written in the process of rank 0, while the ranks are idle.
 */
final class ShardedState implements TrainState, WeightSource, AutoCloseable {
  private final DecoderSpec spec;
  private final List<Integer> trained;
  private final RankProcesses processes;
  private final long[] starts;
  private final GatheredBlocks blocks;
  private volatile long steps;

  /**
   * Creates the state of {@code spec}.
   *
   * @param trained ascending indices of the trained parameters
   */
  ShardedState(DecoderSpec spec, RankProcesses processes, List<Integer> trained) {
    this.spec = spec;
    this.trained = List.copyOf(trained);
    this.processes = processes;
    this.starts = ShardMap.starts(spec);
    this.blocks = new GatheredBlocks(processes, kind -> starts[starts.length - 1]);
  }

  @Override
  public DecoderSpec spec() {
    return spec;
  }

  @Override
  public List<DecoderSpec.Parameter> trained() {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return trained.stream().map(all::get).toList();
  }

  @Override
  public List<StoredTensor> model() {
    return stored(parameter -> !parameter.adapts());
  }

  @Override
  public List<StoredTensor> adapters() {
    return stored(parameter -> parameter.adapts() && parameter.size() > 0);
  }

  private List<StoredTensor> stored(Predicate<DecoderSpec.Parameter> which) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return IntStream.range(0, all.size())
        .filter(i -> which.test(all.get(i)))
        .mapToObj(
            i ->
                StoredTensor.read(
                    all.get(i).name(),
                    TensorFormat.F32,
                    all.get(i).shape().stream().map(Integer::longValue).toList(),
                    (first, target) -> read(i, first, target)))
        .toList();
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    get(Kind.WEIGHT, index, first, target);
  }

  @Override
  public void read(Kind kind, int parameter, long first, MemorySegment target) {
    get(kind, trained.get(parameter), first, target);
  }

  private void get(Kind kind, int index, long first, MemorySegment target) {
    if (remote()) {
      blocks.read(kind, starts[index] + first, target);
    } else {
      forEach(
          kind,
          starts[index] + first,
          target,
          (run, part) -> Device.await(processes.each().getFirst().gather(run, part)));
    }
  }

  @Override
  public void write(Kind kind, int parameter, long first, MemorySegment source) {
    set(kind, trained.get(parameter), first, source);
  }

  /** Copies weights of parameter {@code index} of the unsharded model into the state. */
  void write(int index, long first, MemorySegment source) {
    set(Kind.WEIGHT, index, first, source);
  }

  private void set(Kind kind, int index, long first, MemorySegment source) {
    try (Arena arena = Arena.ofShared()) {
      // copied, since other threads read it, and its own arena may be confined
      MemorySegment shared = remote() ? arena.allocate(room(source), Float.BYTES) : null;
      forEach(
          kind,
          starts[index] + first,
          source,
          (run, part) -> {
            MemorySegment numbers =
                shared == null ? part : shared.asSlice(0, part.byteSize()).copyFrom(part);
            var unused = processes.all(process -> process.scatter(run, numbers), failure -> {});
          });
    }
  }

  @Override
  public boolean remote() {
    return processes.each().size() > 1;
  }

  private static long room(MemorySegment source) {
    return Math.min(source.byteSize(), StateRange.MOST * Float.BYTES);
  }

  private static void forEach(
      Kind kind, long first, MemorySegment all, BiConsumer<StateRange, MemorySegment> move) {
    long count = all.byteSize() / Float.BYTES;
    for (long at = 0; at < count; at += StateRange.MOST) {
      StateRange run = new StateRange(kind, first + at, Math.min(StateRange.MOST, count - at));
      move.accept(run, all.asSlice(at * Float.BYTES, run.count() * Float.BYTES));
    }
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public long version() {
    return steps;
  }

  /** Sets the number of optimizer steps that the model has made. */
  void steps(long made) {
    steps = made;
  }

  @Override
  public void resume(long made) {
    steps = made;
    var unused = processes.all(RankProcess::publish, failure -> {});
  }

  /** Frees the gathered numbers of the sharded state. */
  @Override
  public void close() {
    blocks.close();
  }
}
