package roll.collectives.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import roll.torch.foreign.CudaDriver;

/**
 * Gives operations memory of the card: what lies there already as it is, what lies in the
 * computer's memory through a copy, which is kept for the next time. For small things: norms,
 * counts, columns. Owns the copies; used on the rank's thread.
 */
final class Staging implements AutoCloseable {
  private final CudaDriver cuda;
  private final MemorySegment[] kept = {MemorySegment.NULL, MemorySegment.NULL};

  /** What is done with memory: only what is read is copied to the card, what is written back. */
  enum Use {
    READ,
    WRITE,
    BOTH
  }

  Staging(CudaDriver cuda) {
    this.cuda = cuda;
  }

  /**
   * Has {@code work} done on memory of the card.
   *
   * @param memory what it uses
   * @param slot 0 or 1: which copy may be used for it
   * @param link makes the copies
   */
  void with(MemorySegment memory, Use use, int slot, CardLink link, Consumer<MemorySegment> work) {
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
    if (kept[slot].byteSize() < bytes) {
      free(slot);
      kept[slot] = cuda.allocate(bytes);
    }
    return kept[slot].asSlice(0, bytes);
  }

  private void free(int slot) {
    if (kept[slot].address() != 0) {
      cuda.free(kept[slot]);
      kept[slot] = MemorySegment.NULL;
    }
  }

  @Override
  public void close() {
    free(0);
    free(1);
  }
}
