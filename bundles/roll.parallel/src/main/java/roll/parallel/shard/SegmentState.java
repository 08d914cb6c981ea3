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
 * What one rank has of one segment: its share of the weights and moments, and in training of the
 * gradients all or a share, as ZeRO's stage says.
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
   * Some neighboring numbers of the share that are treated alike.
   *
   * @param part where in the share
   * @param decays whether weight decay applies
   * @param whole whether tensor parallelism leaves them whole
   * @param counted whether they count for the norm
   */
  private record Slice(FlatTensors.Part part, boolean decays, boolean whole, boolean counted) {}

  /**
   * All zeros.
   *
   * @param trains whether there are gradients and moments
   * @param owner owns what is in memory
   * @param ledger counts it
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

  /** What is trained and lies between {@code begin} and {@code end}; neighbors alike are one. */
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

  /** The segment. */
  public Segment segment() {
    return segment;
  }

  /** All weights, where they are resident. */
  @Nullable NDArray weights() {
    return weights;
  }

  /** The rank's share of the weights. */
  public FloatStore share() {
    return share;
  }

  /** Whether gradients go to their owners with every micro-batch: then there is a share alone. */
  boolean scatters() {
    return scatters;
  }

  /**
   * Gradients in the making.
   *
   * @param owner owns them
   * @param all where they are reduced at the end of a step; otherwise null
   * @param share the rank's
   */
  private record Gradients(NDManager owner, @Nullable NDArray all, NDArray share) {
    long bytes() {
      return Float.BYTES * (all == null ? share : all).size();
    }
  }

  /** Makes zero gradients of what is trained, until {@link #closeGradients}. */
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

  /** All gradients, where they are reduced at the end of a step; otherwise null. */
  @Nullable NDArray gradients() {
    return gradients == null ? null : gradients.all();
  }

  /** The rank's share of the gradients. */
  NDArray gradientShare() {
    if (gradients == null) {
      throw new IllegalStateException("no gradients are in the making");
    }
    return gradients.share();
  }

  /** The rank's share of the first moments. */
  public FloatStore first() {
    return first;
  }

  /** The rank's share of the second moments. */
  public FloatStore second() {
    return second;
  }

  /** Those parts of {@link #gradientShare} that the tensor-parallel ranks have to add up. */
  NDList wholeGradients(NDManager owner) {
    return flat.views(
        owner, gradientShare(), slices.stream().filter(Slice::whole).map(Slice::part).toList());
  }

  /**
   * Those parts of {@link #gradientShare} that count for the norm of the model's gradient.
   *
   * @param withWhole whether what all tensor-parallel ranks have counts here
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

  /** One optimizer step of the share, as {@link AdamWKernel#step}. */
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
