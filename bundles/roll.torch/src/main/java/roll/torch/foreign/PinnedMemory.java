package roll.torch.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Page-locked host memory, from and to which a card copies at full bus bandwidth. If CUDA cannot
 * pin it, it is ordinary memory.
 */
public final class PinnedMemory implements AutoCloseable {
  private final Arena arena;
  private final MemorySegment segment;
  private final CudaRuntime cuda;
  private final boolean pinned;

  /** Allocates {@code bytes} bytes of pinned memory. */
  public PinnedMemory(long bytes) {
    this(bytes, CudaRuntime.loaded());
  }

  PinnedMemory(long bytes, CudaRuntime cuda) {
    this.arena = Arena.ofShared();
    this.segment = arena.allocate(bytes, 4096);
    this.cuda = cuda;
    this.pinned = cuda.pin(segment);
  }

  /** Returns the memory, valid until {@link #close}. */
  public MemorySegment segment() {
    return segment;
  }

  /** Returns whether CUDA has pinned the memory. */
  boolean pinned() {
    return pinned;
  }

  @Override
  public void close() {
    if (pinned) {
      cuda.unpin(segment);
    }
    arena.close();
  }
}
