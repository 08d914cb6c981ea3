package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import roll.torch.Device;
import roll.torch.Kernels;

/**
 * The memory of the KV cache. The system gives it as it is first written to, so a pool costs what
 * is used of it. Used on the compute thread alone.
 */
final class KvPool implements AutoCloseable {
  /** Blocks made ready at once, at least. */
  private static final int SLAB = 64;

  private final Device device;
  private final Kernels kernels;
  private final int blocks;
  private @Nullable NDManager owner;
  private @Nullable NDArray cells;
  private int ready;

  /**
   * A pool without memory yet.
   *
   * @param kernels with the functions of {@code step.py}
   */
  KvPool(Device device, Kernels kernels, int blocks) {
    this.device = device;
    this.kernels = kernels;
    this.blocks = blocks;
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
    }
    return all;
  }

  /** Says that nothing in it counts any more. */
  void forget() {
    ready = 0;
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
  }
}
