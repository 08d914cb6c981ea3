package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.TensorMemory;

/** Flat tensors and views of them (see {@code flat.py}). Only on the compute thread. */
public final class FlatTensors implements AutoCloseable {
  private final Kernels kernels;

  FlatTensors(Device device) {
    this.kernels =
        Kernels.compile(device, Map.of(), List.of(Kernels.source(FlatTensors.class, "flat.py")));
  }

  /**
   * A part of a flat tensor.
   *
   * @param at first number
   * @param dimensions 1 or 2
   * @param rows 1 for one dimension
   * @param columns size of a row
   */
  record Part(long at, int dimensions, long rows, long columns) {
    /** Returns the range from {@code from} to {@code to} as one dimension. */
    static Part range(long from, long to) {
      return new Part(from, 1, 1, to - from);
    }
  }

  /** Returns views of {@code parts} of {@code flat}, which must outlive them. */
  NDList views(NDManager owner, NDArray flat, List<Part> parts) {
    if (parts.isEmpty()) {
      return new NDList();
    }
    long[] places =
        parts.stream()
            .flatMapToLong(p -> LongStream.of(p.at(), p.dimensions(), p.rows(), p.columns()))
            .toArray();
    NDManager host = Device.host(owner);
    try (NDArray numbers = host.create(places, new Shape(parts.size(), 4))) {
      return kernels.record(owner, "views", flat, numbers);
    }
  }

  /**
   * Returns the {@code count} floats of {@code file} on the host, mapped while {@code owner} lives.
   */
  NDArray mapped(NDManager owner, Path file, long count) {
    byte[] name = file.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
    long[] bytes = new long[name.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Byte.toUnsignedLong(name[i]);
    }
    NDManager host = Device.host(owner);
    try (NDArray path = host.create(bytes);
        NDArray size = host.create(count)) {
      return kernels.record(owner, "mapped", path, size).singletonOrThrow();
    }
  }

  /** Returns the memory of a contiguous tensor, for communicators of its device. */
  public static MemorySegment memory(NDArray tensor) {
    return TensorMemory.address(tensor);
  }

  @Override
  public void close() {
    kernels.close();
  }
}
