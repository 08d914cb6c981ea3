package roll.collectives.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import roll.torch.foreign.CudaDriver;

/**
 * GPU buffers for operations on host memory, such as norms, counts and columns; GPU memory is used
 * directly. Owns the buffers, which it reuses; used on the thread of the rank.
 */
final class StagingBuffers implements AutoCloseable {
  private final CudaDriver cuda;
  private final MemorySegment[] buffers = {MemorySegment.NULL, MemorySegment.NULL};

  /** Use of memory: READ is copied to the GPU, WRITE from it. */
  enum Use {
    READ,
    WRITE,
    BOTH
  }

  StagingBuffers(CudaDriver cuda) {
    this.cuda = cuda;
  }

  /**
   * Runs {@code work} on a copy of host memory in GPU memory.
   *
   * @param memory GPU or host memory
   * @param slot buffer to use, 0 or 1
   * @param link copies between host and GPU
   */
  void with(
      MemorySegment memory, Use use, int slot, NcclConnection link, Consumer<MemorySegment> work) {
    if (cuda.onCard(memory)) {
      work.accept(memory);
      return;
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment host =
          memory.isNative() ? memory : arena.allocate(memory.byteSize()).copyFrom(memory);
      MemorySegment copy = copy(slot, memory.byteSize());
      if (use != Use.WRITE) {
        link.copy(host, copy);
      }
      work.accept(copy);
      if (use != Use.READ) {
        link.copy(copy, host);
      }
      if (use != Use.READ && !memory.isNative()) {
        memory.copyFrom(host);
      }
    }
  }

  private MemorySegment copy(int slot, long bytes) {
    if (buffers[slot].byteSize() < bytes) {
      free(slot);
      buffers[slot] = cuda.allocate(bytes);
    }
    return buffers[slot].asSlice(0, bytes);
  }

  private void free(int slot) {
    if (buffers[slot].address() != 0) {
      cuda.free(buffers[slot]);
      buffers[slot] = MemorySegment.NULL;
    }
  }

  @Override
  public void close() {
    free(0);
    free(1);
  }
}
