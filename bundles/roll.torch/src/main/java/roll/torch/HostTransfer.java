package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.foreign.PinnedMemory;
import roll.torch.foreign.TorchShim;
import roll.torch.foreign.TorchShim.Place;

/**
 * Moves numbers between the tensors of a device and the memory of the host. Tensors of the CPU are
 * read and written where they lie; those of an accelerator are copied, and what is made here first
 * goes through a buffer whose pages the card can read by itself.
 *
 * <p>Tensors are without gaps, numbers in native byte order. Used on the device's compute thread;
 * {@link #read} also on others while nothing changes the tensor.
 */
public final class HostTransfer implements AutoCloseable {
  /** Bytes of the buffer: enough for the full rate of a bus. */
  private static final long BUFFER = 64L << 20;

  private final boolean direct;
  private final long size;
  private @Nullable PinnedMemory buffer;

  /** Of a device whose tensors are in the memory of the host, or are not. */
  HostTransfer(boolean direct) {
    this(direct, BUFFER);
  }

  /** The same with another size of the buffer, a multiple of 8. */
  HostTransfer(boolean direct, long size) {
    this.direct = direct;
    this.size = size;
  }

  /** One of the same kind with a buffer of its own. */
  HostTransfer another() {
    return new HostTransfer(direct, size);
  }

  /**
   * A tensor of the numbers of {@code parts}, one behind the other. DJL makes one of a buffer
   * outside of the heap, which stays until the garbage collector comes by: too long for large ones.
   *
   * @param owner owns it
   * @param shape has room for all of them
   */
  public static NDArray floats(NDManager owner, Shape shape, List<float[]> parts) {
    NDArray tensor = owner.create(shape, DataType.FLOAT32);
    try (HostTransfer transfer = new HostTransfer(!owner.getDevice().isGpu())) {
      long first = 0;
      for (float[] part : parts) {
        MemorySegment numbers = MemorySegment.ofArray(part);
        transfer.write(tensor, first, numbers);
        first += numbers.byteSize();
      }
    }
    return tensor;
  }

  /**
   * The numbers of {@code tensor} under a name, as long as it lives: where they lie, or copied when
   * they are wanted, a part at a time.
   */
  public StoredTensor stored(String name, TensorFormat format, List<Long> shape, NDArray tensor) {
    return direct
        ? new StoredTensor(name, format, shape, TensorMemory.of(tensor))
        : StoredTensor.read(
            name, format, shape, (first, part) -> read(tensor, first * format.bytes(), part));
  }

  /** Whether tensors are in the memory of the host, so that nothing need be copied. */
  public boolean direct() {
    return direct;
  }

  /** Makes numbers. */
  @ConsumerType
  @FunctionalInterface
  public interface Filler {
    /** Fills {@code part}, whose first byte is byte {@code first} of a tensor. */
    void fill(long first, MemorySegment part);
  }

  /**
   * Copies as many bytes of {@code tensor} as {@code target} has room for, from byte {@code first}.
   */
  public void read(NDArray tensor, long first, MemorySegment target) {
    MemorySegment all = address(tensor);
    long bytes = target.byteSize();
    MemorySegment part = all.asSlice(first, bytes);
    if (direct) {
      target.copyFrom(part);
    } else if (target.isNative()) {
      TorchShim.copy(Place.of(TensorMemory.handle(tensor), first), Place.host(target), bytes);
    } else {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment copy = arena.allocate(bytes);
        read(tensor, first, copy);
        target.copyFrom(copy);
      }
    }
  }

  /** Copies {@code source} into {@code tensor}, from its byte {@code first} on. */
  public void write(NDArray tensor, long first, MemorySegment source) {
    MemorySegment all = address(tensor);
    long bytes = source.byteSize();
    MemorySegment part = all.asSlice(first, bytes);
    if (direct) {
      part.copyFrom(source);
    } else if (source.isNative()) {
      TorchShim.copy(Place.host(source), Place.of(TensorMemory.handle(tensor), first), bytes);
    } else {
      try (Arena arena = Arena.ofConfined()) {
        write(tensor, first, arena.allocate(bytes).copyFrom(source));
      }
    }
  }

  /**
   * Fills {@code tensor}: where it is on the CPU all at once, otherwise one part after another. A
   * part holds anything before it is filled.
   */
  public void fill(NDArray tensor, Filler filler) {
    MemorySegment all = address(tensor);
    if (direct) {
      filler.fill(0, all);
      return;
    }
    MemorySegment room = buffer();
    for (long first = 0; first < all.byteSize(); first += size) {
      MemorySegment part = room.asSlice(0, Math.min(size, all.byteSize() - first));
      filler.fill(first, part);
      write(tensor, first, part);
    }
  }

  private MemorySegment buffer() {
    if (buffer == null) {
      buffer = new PinnedMemory(size);
    }
    return buffer.segment();
  }

  /** Sets all numbers of {@code tensor} to zero. */
  public void zero(NDArray tensor) {
    zero(tensor, address(tensor).byteSize());
  }

  /** Sets the first {@code bytes} bytes of {@code tensor} to zero. */
  public void zero(NDArray tensor, long bytes) {
    MemorySegment part = address(tensor).asSlice(0, bytes);
    if (direct) {
      part.fill((byte) 0);
    } else {
      TorchShim.zero(Place.of(TensorMemory.handle(tensor), 0), bytes);
    }
  }

  /**
   * Copies {@code from} into {@code to}, which is on the same device.
   *
   * @param first byte of {@code to} where it goes
   */
  public void copy(NDArray from, NDArray to, long first) {
    MemorySegment source = address(from);
    if (direct) {
      address(to).asSlice(first, source.byteSize()).copyFrom(source);
    } else {
      MemorySegment part = address(to).asSlice(first, source.byteSize());
      TorchShim.copy(
          Place.of(TensorMemory.handle(from), 0),
          Place.of(TensorMemory.handle(to), first),
          part.byteSize());
    }
  }

  private MemorySegment address(NDArray tensor) {
    return direct ? TensorMemory.of(tensor) : TensorMemory.address(tensor);
  }

  /** Frees the buffer. */
  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
