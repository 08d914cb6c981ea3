package roll.strategy.hf_infer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;

/**
 * The keys and values of some sequences: one native tensor (see {@code cache.py}) and its manager.
 */
final class KvCache implements AutoCloseable {
  private final NDManager owner;
  private final NDArray cells;
  private final int capacity;
  private final Runnable closed;

  /**
   * Wraps a native cache tensor.
   *
   * @param owner owns exactly {@code cells}
   * @param cells the tensor; opaque, since DJL does not support bf16
   * @param capacity maximum tokens of a row
   * @param closed called once on close
   */
  KvCache(NDManager owner, NDArray cells, int capacity, Runnable closed) {
    this.owner = owner;
    this.cells = cells;
    this.capacity = capacity;
    this.closed = closed;
  }

  /** Returns the tensor of the KV cache. */
  NDArray cells() {
    return cells;
  }

  /** Returns the maximum tokens of a row. */
  int capacity() {
    return capacity;
  }

  @Override
  public void close() {
    if (owner.isOpen()) {
      owner.close();
      closed.run();
    }
  }
}
