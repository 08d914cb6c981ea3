package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;

/**
 * The memory of the KV cache, committed by the system on first write, so that only used blocks cost
 * memory. Used only on the compute thread.
 */
final class KvCacheMemory implements AutoCloseable {
  /** Minimum number of blocks that are prepared at once. */
  private static final int SLAB = 64;

  private final Device device;
  private final Kernels kernels;
  private final int blocks;
  private final MemoryLedger ledger;
  private final long blockBytes;
  private @Nullable NDManager owner;
  private @Nullable NDArray cells;
  private int ready;

  /** Number of prepared KV cache blocks. */
  private int given;

  /**
   * Creates the cache without memory.
   *
   * @param kernels with the functions of {@code step.py}
   * @param ledger counts the prepared blocks
   * @param blockBytes bytes of a block
   */
  KvCacheMemory(Device device, Kernels kernels, int blocks, MemoryLedger ledger, long blockBytes) {
    this.device = device;
    this.kernels = kernels;
    this.blocks = blocks;
    this.ledger = ledger;
    this.blockBytes = blockBytes;
  }

  /** Returns the cache; blocks below {@code touched} hold finite numbers, as masked slots must. */
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

  /** Invalidates the content of the KV cache memory. */
  void forget() {
    ready = 0;
  }

  private void give(int count) {
    ledger.add(MemoryKind.KV_CACHE, (count - given) * blockBytes);
    given = count;
  }

  /** Frees the memory of the KV cache. */
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
