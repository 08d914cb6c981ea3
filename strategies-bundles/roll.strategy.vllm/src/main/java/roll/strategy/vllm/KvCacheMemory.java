package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;

/**
 * The memory of the KV cache. The system gives it as it is first written to, so a pool costs what
 * is used of it. Used on the compute thread alone.
 */
final class KvCacheMemory implements AutoCloseable {
  /** Blocks made ready at once, at least. */
  private static final int SLAB = 64;

  private final Device device;
  private final Kernels kernels;
  private final int blocks;
  private final MemoryLedger ledger;
  private final long blockBytes;
  private @Nullable NDManager owner;
  private @Nullable NDArray cells;
  private int ready;

  /** Blocks that the system gave memory for. */
  private int given;

  /**
   * A pool without memory yet.
   *
   * @param kernels with the functions of {@code step.py}
   * @param ledger is told what blocks are in use
   * @param blockBytes of one of them
   */
  KvCacheMemory(Device device, Kernels kernels, int blocks, MemoryLedger ledger, long blockBytes) {
    this.device = device;
    this.kernels = kernels;
    this.blocks = blocks;
    this.ledger = ledger;
    this.blockBytes = blockBytes;
  }

  /**
   * The cache, of which the blocks below {@code touched} hold finite numbers: what is masked must
   * not be anything else.
   */
  NDArray cells(int touched) {
    NDArray all = cells;
    if (all == null) {
      NDManager manager = device.newManager();
      owner = manager;
      all = kernels.call(manager, "open_cache", blocks).singletonOrThrow();
      cells = all;
    }
    if (touched > ready) {
      int end = Math.min(blocks, Math.max(touched, ready + Math.max(SLAB, ready / 4)));
      try (NDManager small = device.newManager()) {
        kernels.call(small, "clear_blocks", all, ready, end);
      }
      ready = end;
      give(Math.max(given, end));
    }
    return all;
  }

  /** Says that nothing in it counts any more. */
  void forget() {
    ready = 0;
  }

  private void give(int count) {
    ledger.add(MemoryKind.KV_CACHE, (count - given) * blockBytes);
    given = count;
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    if (owner != null) {
      owner.close();
    }
    owner = null;
    cells = null;
    ready = 0;
    give(0);
  }
}
