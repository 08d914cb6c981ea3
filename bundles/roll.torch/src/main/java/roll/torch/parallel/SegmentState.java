package roll.torch.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.StateKind;
import roll.torch.AdamW;
import roll.torch.AdamWKernel;
import roll.torch.Ledger;

/**
 * What one rank has of one segment: its share of the weights and moments, and of the gradients all
 * or a share, as ZeRO's stage says.
 */
final class SegmentState {
  private final Segment segment;
  private final Flat flat;
  private final long from;
  private final @Nullable NDArray weights;
  private final FloatStore share;
  private final @Nullable NDArray gradients;
  private final NDArray gradientShare;
  private final FloatStore first;
  private final FloatStore second;
  private final List<Slice> slices = new ArrayList<>();

  /**
   * Some neighbouring numbers of the share that are treated alike.
   *
   * @param part where in the share
   * @param decays whether weight decay applies
   * @param whole whether tensor parallelism leaves them whole
   * @param counted whether they count for the norm
   */
  private record Slice(Flat.Part part, boolean decays, boolean whole, boolean counted) {}

  /**
   * All zeros.
   *
   * @param trains whether there are gradients and moments
   * @param owner owns what is in memory
   * @param ledger counts it
   */
  SegmentState(
      Segment segment,
      Layout layout,
      boolean trains,
      int rank,
      Flat flat,
      NDManager owner,
      Ledger ledger) {
    this.segment = segment;
    this.flat = flat;
    int owners = layout.owners();
    long size = segment.size() / owners;
    this.from = owners == 1 ? 0 : rank * size;
    Flat.Part own = Flat.Part.range(from, from + size);
    Offload offload = layout.offload();
    if (segment.resident()) {
      this.weights = zeros(owner, ledger, StateKind.PARAMETERS, segment.size());
      this.share = new FloatStore.InMemory(view(owner, weights, own));
    } else {
      this.weights = null;
      this.share = store(offload.parameters(), size, offload, owner, ledger, StateKind.PARAMETERS);
    }
    long trained = trains ? size : 0;
    if (!trains || layout.scatters(segment)) {
      this.gradients = null;
      this.gradientShare = zeros(owner, ledger, StateKind.GRADIENTS, trained);
    } else {
      this.gradients = zeros(owner, ledger, StateKind.GRADIENTS, segment.size());
      this.gradientShare = view(owner, gradients, own);
    }
    this.first = store(offload.optimizer(), trained, offload, owner, ledger, StateKind.OPTIMIZER);
    this.second = store(offload.optimizer(), trained, offload, owner, ledger, StateKind.OPTIMIZER);
    slices(from, from + size);
  }

  private NDArray view(NDManager owner, NDArray of, Flat.Part part) {
    return flat.views(owner, of, List.of(part)).singletonOrThrow();
  }

  private static NDArray zeros(NDManager owner, Ledger ledger, StateKind kind, long count) {
    ledger.add(kind, count * Float.BYTES);
    return owner.zeros(new ai.djl.ndarray.types.Shape(count));
  }

  private FloatStore store(
      boolean inFile, long count, Offload offload, NDManager owner, Ledger ledger, StateKind kind) {
    if (inFile) {
      ledger.add(StateKind.OFFLOADED, count * Float.BYTES);
      return new FileStore(offload.folder(), count, flat);
    }
    return new FloatStore.InMemory(zeros(owner, ledger, kind, count));
  }

  /**
   * What of the parameters lies between {@code begin} and {@code end}; neighbours alike are one.
   */
  private void slices(long begin, long end) {
    for (Segment.Parameter parameter : segment.parameters()) {
      long low = Math.max(begin, parameter.at());
      long high = Math.min(end, parameter.at() + parameter.size());
      if (low >= high) {
        continue;
      }
      boolean decays = parameter.dimensions() > 1;
      boolean whole = parameter.cut() == Cut.WHOLE;
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
      slices.add(new Slice(Flat.Part.range(at, high - begin), decays, whole, parameter.counted()));
    }
  }

  /** The segment. */
  Segment segment() {
    return segment;
  }

  /** All weights, where they are resident. */
  @Nullable NDArray weights() {
    return weights;
  }

  /** The rank's share of the weights. */
  FloatStore share() {
    return share;
  }

  /** All gradients, where they are reduced at the end of a step; else null. */
  @Nullable NDArray gradients() {
    return gradients;
  }

  /** The rank's share of the gradients. */
  NDArray gradientShare() {
    return gradientShare;
  }

  /** The rank's share of the first moments. */
  FloatStore first() {
    return first;
  }

  /** The rank's share of the second moments. */
  FloatStore second() {
    return second;
  }

  /** Those parts of {@link #gradientShare} that the tensor-parallel ranks have to add up. */
  NDList wholeGradients(NDManager owner) {
    return flat.views(
        owner, gradientShare, slices.stream().filter(Slice::whole).map(Slice::part).toList());
  }

  /**
   * Those parts of {@link #gradientShare} that count for the norm of the model's gradient.
   *
   * @param withWhole whether what all tensor-parallel ranks have counts here
   */
  NDList countedGradients(NDManager owner, boolean withWhole) {
    return flat.views(
        owner,
        gradientShare,
        slices.stream()
            .filter(slice -> slice.counted() && (withWhole || !slice.whole()))
            .map(Slice::part)
            .toList());
  }

  /** One optimizer step of the share, as {@link AdamWKernel#step}. */
  void step(
      NDManager scope,
      AdamWKernel kernel,
      long number,
      double rate,
      double norm,
      AdamW.Settings settings) {
    List<Flat.Part> parts = slices.stream().map(Slice::part).toList();
    kernel.step(
        scope,
        new AdamWKernel.Operands(
            flat.views(scope, share.tensor(scope), parts),
            flat.views(scope, gradientShare, parts),
            flat.views(scope, first.tensor(scope), parts),
            flat.views(scope, second.tensor(scope), parts),
            slices.stream().map(Slice::decays).toList()),
        number,
        rate,
        norm,
        settings);
    if (gradients != null) {
      Flat.memory(gradients).fill((byte) 0);
    }
  }

  /** Sets the gradients to zero. */
  void zero() {
    Flat.memory(gradients == null ? gradientShare : gradients).fill((byte) 0);
  }

  /** Deletes files. */
  void close() {
    share.close();
    first.close();
    second.close();
  }
}
