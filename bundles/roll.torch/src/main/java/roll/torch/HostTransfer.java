package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.foreign.CudaReads;
import roll.torch.foreign.PinnedMemory;
import roll.torch.foreign.TorchShim;
import roll.torch.foreign.TorchShim.Place;

/**
 * Moves numbers between the tensors of a device and host memory. Tensors of the CPU are read and
 * written in place; those of an accelerator are copied, and data produced here goes through a
 * pinned buffer.
 *
 * <p>Tensors are contiguous, numbers in native byte order. Used on the device's compute thread;
 * {@link #read} also on other threads while the tensor does not change.
 */
public final class HostTransfer implements AutoCloseable {
  /** Bytes of the buffer, enough for the full bus bandwidth. */
  private static final long BUFFER = 64L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(HostTransfer.class);

  private final boolean direct;
  private final long size;

  /** The number of a card; -1 for other devices. */
  private final int card;

  private @Nullable CudaReads reads;
  private @Nullable PinnedMemory buffer;

  /** Creates the transfer of a device whose tensors are in host memory ({@code direct}) or not. */
  HostTransfer(boolean direct) {
    this(direct, BUFFER, -1, null);
  }

  /**
   * Creates the transfer of a device.
   *
   * @param size of the buffer, a multiple of 8
   * @param card its number; -1 for other devices
   * @param reads copies of the card; null if they are still to be looked up
   */
  HostTransfer(boolean direct, long size, int card, @Nullable CudaReads reads) {
    this.direct = direct;
    this.size = size;
    this.card = card;
    this.reads = reads;
  }

  /** Creates the transfer of card {@code number}. */
  static HostTransfer ofCard(int number) {
    return new HostTransfer(false, BUFFER, number, null);
  }

  /** Returns a transfer of the same kind with its own buffer. */
  HostTransfer another() {
    return new HostTransfer(direct, size, card, reads);
  }

  /**
   * Returns a tensor with the concatenated numbers of {@code parts}. DJL would use an off-heap
   * buffer that lives until the next garbage collection, too long for large tensors.
   *
   * @param owner owns the result
   * @param shape of the result
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
   * Returns {@code tensor} as a named tensor for a file, valid while {@code tensor} lives: in
   * place, or copied part by part on demand.
   */
  public StoredTensor stored(String name, TensorFormat format, List<Long> shape, NDArray tensor) {
    return direct
        ? new StoredTensor(name, format, shape, TensorMemory.of(tensor))
        : StoredTensor.read(
            name, format, shape, (first, part) -> read(tensor, first * format.bytes(), part));
  }

  /** Returns whether tensors are in host memory, so that nothing is copied. */
  public boolean direct() {
    return direct;
  }

  /** Produces the bytes of a tensor. */
  @ConsumerType
  @FunctionalInterface
  public interface Filler {
    /** Fills {@code part}, which begins at byte {@code first} of the tensor. */
    void fill(long first, MemorySegment part);
  }

  /** Copies bytes of {@code tensor}, from byte {@code first}, until {@code target} is full. */
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

  /**
   * A tensor to be read.
   *
   * @param target memory of the same size
   */
  public record Read(NDArray tensor, MemorySegment target) {}

  /**
   * Reads tensors; those of a card on another thread, while it computes. Until the result is
   * complete they must neither be written to nor freed.
   */
  public CompletableFuture<Void> readAll(List<Read> all) {
    CudaReads behind = reads();
    if (behind == null) {
      all.forEach(read -> read(read.tensor(), 0, read.target()));
      return CompletableFuture.completedFuture(null);
    }
    Runnable copying =
        behind.after(
            card,
            all.stream()
                .map(read -> new CudaReads.Part(address(read.tensor()), read.target()))
                .toList());
    return CompletableFuture.runAsync(
        copying, work -> Thread.ofPlatform().daemon().name("roll-read").start(work));
  }

  private @Nullable CudaReads reads() {
    if (card >= 0 && reads == null) {
      reads = CudaReads.loaded();
      reads
          .missing()
          .ifPresent(
              function ->
                  LOG.warn(
                      "cuda:{}: training waits while a checkpoint is copied, because this PyTorch"
                          + " lacks {}",
                      card,
                      function));
    }
    return reads != null && reads.missing().isEmpty() ? reads : null;
  }

  /** Copies {@code source} into {@code tensor}, starting at byte {@code first}. */
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
   * Fills {@code tensor}, on the CPU at once, otherwise part by part. Parts are not initialized
   * before {@code filler} gets them.
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
   * @param first byte of {@code to} at which the copy begins
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

  /** Frees the buffer of the host transfer. */
  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
