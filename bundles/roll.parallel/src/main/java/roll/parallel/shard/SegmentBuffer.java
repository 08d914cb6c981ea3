package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.memory.MemoryKind;
import roll.torch.Device;
import roll.torch.HostTransfer;
import roll.torch.MemoryLedger;

/** A buffer that holds one segment at a time. Owns its memory. Used on the compute thread. */
final class SegmentBuffer implements AutoCloseable {
  private final FlatTensors flat;
  private final HostTransfer transfer;
  private final NDManager owner;
  private final NDArray floats;
  private final MemoryKind kind;
  private final MemoryLedger ledger;
  private final Map<Integer, Map<Integer, NDArray>> views = new HashMap<>();

  /** Allocates {@code size} floats, counted in {@code ledger}. */
  SegmentBuffer(Device device, FlatTensors flat, long size, MemoryKind kind, MemoryLedger ledger) {
    this.flat = flat;
    this.transfer = device.transfer();
    this.owner = device.newManager();
    this.floats = owner.zeros(new Shape(size));
    this.kind = kind;
    this.ledger = ledger;
    ledger.add(kind, size * Float.BYTES);
  }

  /** Returns the parts of {@code parameters} in their segment. */
  static List<FlatTensors.Part> parts(List<Segment.Parameter> parameters) {
    return parameters.stream()
        .map(p -> new FlatTensors.Part(p.at(), p.dimensions(), p.rows(), p.columns()))
        .toList();
  }

  /**
   * Sets the first {@code size} floats to {@code share} from {@code at} on, and to zero otherwise.
   */
  void hold(long size, NDArray share, long at) {
    transfer.zero(floats, size * Float.BYTES);
    transfer.copy(share, floats, at * Float.BYTES);
  }

  /** Returns the memory of the first {@code size} floats. */
  MemorySegment memory(long size) {
    return FlatTensors.memory(floats).asSlice(0, size * Float.BYTES);
  }

  /** Returns views of the parameters of {@code segment}, which has this number, by index. */
  Map<Integer, NDArray> views(int number, Segment segment) {
    return views.computeIfAbsent(
        number,
        any -> {
          List<Segment.Parameter> parameters = segment.parameters();
          NDList tensors = flat.views(owner, floats, parts(parameters));
          Map<Integer, NDArray> byIndex = new HashMap<>();
          for (int i = 0; i < tensors.size(); i++) {
            byIndex.put(parameters.get(i).index(), tensors.get(i));
          }
          return byIndex;
        });
  }

  @Override
  public void close() {
    ledger.add(kind, -floats.size() * Float.BYTES);
    owner.close();
  }
}
