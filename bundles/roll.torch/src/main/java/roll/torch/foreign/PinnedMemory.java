package roll.torch.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the host whose pages stay where they are, so that an accelerator copies to and from it
 * by itself, at the full rate of the bus. Where CUDA does not pin it, it is like any other.
 */
public final class PinnedMemory implements AutoCloseable {
  private final Arena arena;
  private final MemorySegment segment;
  private final CudaRuntime cuda;
  private final boolean pinned;

  /** {@code bytes} of it. */
  public PinnedMemory(long bytes) {
    this(bytes, CudaRuntime.loaded());
  }

  PinnedMemory(long bytes, CudaRuntime cuda) {
    this.arena = Arena.ofShared();
    this.segment = arena.allocate(bytes, 4096);
    this.cuda = cuda;
    this.pinned = cuda.pin(segment);
  }

  /** The memory, as long as this is open. */
  public MemorySegment segment() {
    return segment;
  }

  /** Whether CUDA knows of it. */
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
