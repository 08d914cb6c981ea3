package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.torch.Device;
import roll.torch.HostTransfer;
import roll.torch.MemoryLedger;
import roll.torch.training.AdamW;
import roll.torch.training.AdamWKernel;

/**
 * The state of one segment on one rank: its share of the weights and moments, and in training all
 * gradients or a share of them, by ZeRO stage.
 */
public final class SegmentState {
  private final HostTransfer transfer;
  private final Segment segment;
  private final FlatTensors flat;
  private final MemoryLedger ledger;
  private final long size;
  private final long from;
  private final @Nullable NDArray weights;
  private final FloatStore share;
  private final boolean scatters;
  private final FloatStore first;
  private final FloatStore second;
  private final List<Slice> slices = new ArrayList<>();
  private @Nullable Gradients gradients;

  /**
   * Adjacent numbers of the share that are treated alike.
   *
   * @param part location in the share
   * @param decays whether weight decay applies
   * @param whole whether tensor parallelism does not shard them
   * @param counted whether they count toward the norm
   */
  private record Slice(FlatTensors.Part part, boolean decays, boolean whole, boolean counted) {}

  /**
   * Allocates the state of a segment, filled with zeros.
   *
   * @param trains whether there are gradients and moments
   * @param owner owns the memory
   * @param ledger counts the memory
   */
  SegmentState(
      Device device,
      Segment segment,
      ParallelLayout layout,
      boolean trains,
      int rank,
      FlatTensors flat,
      NDManager owner,
      MemoryLedger ledger) {
    this.transfer = device.transfer();
    this.segment = segment;
    this.flat = flat;
    this.ledger = ledger;
    int owners = layout.owners();
    this.size = segment.size() / owners;
    this.from = owners == 1 ? 0 : rank * size;
    FlatTensors.Part own = FlatTensors.Part.range(from, from + size);
    Offload offload = layout.offload();
    if (segment.resident()) {
      this.weights = zeros(owner, MemoryKind.PARAMETERS, segment.size());
      this.share = new FloatStore.InMemory(view(owner, weights, own), transfer);
    } else {
      this.weights = null;
      this.share = store(offload.parameters(), size, offload, owner, MemoryKind.PARAMETERS);
    }
    this.scatters = layout.scatters(segment);
    long trained = trains && segment.trained() ? size : 0;
    this.first = store(offload.optimizer(), trained, offload, owner, MemoryKind.OPTIMIZER);
    this.second = store(offload.optimizer(), trained, offload, owner, MemoryKind.OPTIMIZER);
    slices(from, from + size);
  }

  private NDArray view(NDManager owner, NDArray of, FlatTensors.Part part) {
    return flat.views(owner, of, List.of(part)).singletonOrThrow();
  }

  private NDArray zeros(NDManager owner, MemoryKind kind, long count) {
    ledger.add(kind, count * Float.BYTES);
    return owner.zeros(new Shape(count));
  }

  private FloatStore store(
      boolean inFile, long count, Offload offload, NDManager owner, MemoryKind kind) {
    if (inFile) {
      ledger.add(MemoryKind.OFFLOADED, count * Float.BYTES);
      return new FileFloatStore(offload.folder(), count, flat);
    }
    return new FloatStore.InMemory(zeros(owner, kind, count), transfer);
  }

  /**
   * Collects the slices of trained parameters between {@code begin} and {@code end}, merging equal
   * neighbors.
   */
  private void slices(long begin, long end) {
    for (Segment.Parameter parameter : segment.parameters()) {
      long low = Math.max(begin, parameter.at());
      long high = Math.min(end, parameter.at() + parameter.size());
      if (low >= high || !parameter.trained()) {
        continue;
      }
      boolean decays = parameter.dimensions() > 1;
      boolean whole = parameter.cut() == ShardAxis.WHOLE;
      Slice last = slices.isEmpty() ? null : slices.getLast();
      long at = low - begin;
      if (last != null
          && last.part().at() + last.part().columns() == at
          && last.decays() == decays
          && last.whole() == whole
          && last.counted() == parameter.counted()) {
        slices.removeLast();
        at = last.part().at();
      }
      slices.add(
          new Slice(FlatTensors.Part.range(at, high - begin), decays, whole, parameter.counted()));
    }
  }

  /** Returns the segment of the segment state. */
  public Segment segment() {
    return segment;
  }

  /** Returns the weights of the whole segment, or null if this rank keeps only its share. */
  @Nullable NDArray weights() {
    return weights;
  }

  /** Returns the rank's share of the weights. */
  public FloatStore share() {
    return share;
  }

  /**
   * Returns whether gradients are reduce-scattered after every micro-batch; then only a share is
   * stored.
   */
  boolean scatters() {
    return scatters;
  }

  /**
   * Gradients during accumulation.
   *
   * @param owner owns the tensors
   * @param all gradients if they are reduced at the end of a step, otherwise null
   * @param share the rank's share
   */
  private record Gradients(NDManager owner, @Nullable NDArray all, NDArray share) {
    long bytes() {
      return Float.BYTES * (all == null ? share : all).size();
    }
  }

  /** Allocates zero gradients of trained parameters, until {@link #closeGradients}. */
  void openGradients(NDManager owner) {
    NDArray all = scatters ? null : owner.zeros(new Shape(segment.size()));
    NDArray own =
        all == null
            ? owner.zeros(new Shape(size))
            : view(owner, all, FlatTensors.Part.range(from, from + size));
    gradients = new Gradients(owner, all, own);
    ledger.add(MemoryKind.GRADIENTS, gradients.bytes());
  }

  /** Frees the gradients, if there are any. */
  void closeGradients() {
    if (gradients != null) {
      ledger.add(MemoryKind.GRADIENTS, -gradients.bytes());
      gradients.owner().close();
      gradients = null;
    }
  }

  /** Returns all gradients if they are reduced at the end of a step, otherwise null. */
  @Nullable NDArray gradients() {
    return gradients == null ? null : gradients.all();
  }

  /** Returns the rank's share of the gradients. */
  NDArray gradientShare() {
    if (gradients == null) {
      throw new IllegalStateException("no gradients are open");
    }
    return gradients.share();
  }

  /** Returns the rank's share of the first moments. */
  public FloatStore first() {
    return first;
  }

  /** Returns the rank's share of the second moments. */
  public FloatStore second() {
    return second;
  }

  /**
   * Returns the parts of {@link #gradientShare} that must be summed over the tensor-parallel ranks.
   */
  NDList wholeGradients(NDManager owner) {
    return flat.views(
        owner, gradientShare(), slices.stream().filter(Slice::whole).map(Slice::part).toList());
  }

  /**
   * Returns the parts of {@link #gradientShare} that count toward the global gradient norm.
   *
   * @param withWhole whether parameters that all tensor-parallel ranks have count on this rank
   */
  public NDList countedGradients(NDManager owner, boolean withWhole) {
    return flat.views(
        owner,
        gradientShare(),
        slices.stream()
            .filter(slice -> slice.counted() && (withWhole || !slice.whole()))
            .map(Slice::part)
            .toList());
  }

  /** Makes an AdamW step of the rank's share of the segment, like {@link AdamWKernel#step}. */
  public void step(
      NDManager scope,
      AdamWKernel kernel,
      long number,
      double rate,
      double norm,
      AdamW.Settings settings) {
    List<FlatTensors.Part> parts = slices.stream().map(Slice::part).toList();
    kernel.step(
        scope,
        new AdamWKernel.Operands(
            flat.views(scope, share.tensor(scope), parts),
            flat.views(scope, gradientShare(), parts),
            flat.views(scope, first.tensor(scope), parts),
            flat.views(scope, second.tensor(scope), parts),
            slices.stream().map(Slice::decays).toList()),
        number,
        rate,
        norm,
        settings);
  }

  /** Frees gradients and deletes files. */
  void close() {
    closeGradients();
    share.close();
    first.close();
    second.close();
  }
}
