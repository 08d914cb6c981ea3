package roll.torch.training;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.OptimizerName;
import roll.api.model.DecoderSpec;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;

/**
 * A copy of a training state, outside of the Java heap: with AdamW twelve bytes for each trained
 * weight. Frozen weights are not copied but read in place, since they do not change. Can be read on
 * any thread, as soon as it is {@link #made}.
 */
final class TrainStateCopy implements TrainState {
  private final List<DecoderSpec.Parameter> trained;
  private final List<StoredTensor> model;
  private final List<StoredTensor> adapters;
  private final OptimizerName optimizer;
  private final Map<Kind, List<@Nullable MemorySegment>> copies = new EnumMap<>(Kind.class);
  private final long steps;
  private final CompletableFuture<Void> made;

  /**
   * Copies {@code live}, which must not change until this is {@link #made}; on a thread that may
   * read it.
   *
   * @param memory allocates memory of a number of bytes
   */
  TrainStateCopy(TrainState live, LongFunction<MemorySegment> memory) {
    this.trained = live.trained();
    this.optimizer = live.optimizer();
    this.steps = live.steps();
    for (Kind kind : Kind.values()) {
      List<@Nullable MemorySegment> segments = new ArrayList<>();
      for (int i = 0; i < trained.size(); i++) {
        segments.add(live.has(kind, i) ? memory.apply(live.bytes(kind, i, trained.get(i))) : null);
      }
      copies.put(kind, segments);
    }
    this.model = live.model().stream().map(this::of).toList();
    this.adapters = live.adapters().stream().map(this::of).toList();
    this.made = live.readAll(parts());
  }

  private List<Part> parts() {
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                IntStream.range(0, trained.size())
                    .filter(i -> has(kind, i))
                    .mapToObj(i -> new Part(kind, i, memory(kind, i))))
        .toList();
  }

  /** Completes when everything is copied. */
  CompletableFuture<Void> made() {
    return made;
  }

  private MemorySegment memory(Kind kind, int parameter) {
    return Objects.requireNonNull(copy(kind, parameter));
  }

  private @Nullable MemorySegment copy(Kind kind, int parameter) {
    return Objects.requireNonNull(copies.get(kind)).get(parameter);
  }

  /** Returns the copy of {@code weight}, or {@code weight} itself if it is frozen. */
  private StoredTensor of(StoredTensor weight) {
    for (int i = 0; i < trained.size(); i++) {
      if (trained.get(i).name().equals(weight.name())) {
        return new StoredTensor(
            weight.name(), TensorFormat.F32, weight.shape(), memory(Kind.WEIGHT, i));
      }
    }
    return weight;
  }

  /** Returns the bytes of a copy of {@code state}. */
  static long bytes(TrainState state) {
    List<DecoderSpec.Parameter> trained = state.trained();
    return Stream.of(Kind.values())
        .flatMapToLong(
            kind ->
                IntStream.range(0, trained.size())
                    .mapToLong(i -> state.bytes(kind, i, trained.get(i))))
        .sum();
  }

  @Override
  public List<DecoderSpec.Parameter> trained() {
    return trained;
  }

  @Override
  public List<StoredTensor> model() {
    return model;
  }

  @Override
  public List<StoredTensor> adapters() {
    return adapters;
  }

  @Override
  public void read(Kind kind, int parameter, long first, MemorySegment target) {
    int width = format(kind, parameter) == TensorFormat.U8 ? 1 : Float.BYTES;
    target.copyFrom(memory(kind, parameter).asSlice(first * width, target.byteSize()));
  }

  @Override
  public void write(Kind kind, int parameter, long first, MemorySegment source) {
    throw new UnsupportedOperationException("a copy is not trained");
  }

  @Override
  public @Nullable TensorFormat format(Kind kind, int parameter) {
    MemorySegment copy = copy(kind, parameter);
    if (copy == null) {
      return null;
    }
    return copy.byteSize() == kind.size(trained.get(parameter))
        ? TensorFormat.U8
        : TensorFormat.F32;
  }

  @Override
  public OptimizerName optimizer() {
    return optimizer;
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public void resume(long made) {
    throw new UnsupportedOperationException("a copy is not trained");
  }
}
