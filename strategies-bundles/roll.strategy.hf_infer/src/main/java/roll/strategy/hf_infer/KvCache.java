package roll.strategy.hf_infer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;

/** Keys and values of some sequences: one native tensor (see {@code cache.py}) and its owner. */
final class KvCache implements AutoCloseable {
  private final NDManager owner;
  private final NDArray cells;
  private final int capacity;
  private final Runnable closed;

  /**
   * A cache.
   *
   * @param owner owns {@code cells} and nothing else
   * @param cells the tensor; opaque, for DJL does not know bf16
   * @param capacity most tokens of a row
   * @param closed is told when it is closed, once
   */
  KvCache(NDManager owner, NDArray cells, int capacity, Runnable closed) {
    this.owner = owner;
    this.cells = cells;
    this.capacity = capacity;
    this.closed = closed;
  }

  /** The tensor. */
  NDArray cells() {
    return cells;
  }

  /** Most tokens of a row. */
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
