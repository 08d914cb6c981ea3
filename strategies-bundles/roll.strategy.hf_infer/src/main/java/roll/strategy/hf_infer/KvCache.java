package roll.strategy.hf_infer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;

/** Keys and values of some sequences: one native tensor (see {@code cache.py}) and its owner. */
final class KvCache implements AutoCloseable {
  private final NDManager owner;
  private final NDArray cells;
  private final int capacity;

  /**
   * A cache.
   *
   * @param owner owns {@code cells} and nothing else
   * @param cells the tensor; opaque, for DJL does not know bf16
   * @param capacity most tokens of a row
   */
  KvCache(NDManager owner, NDArray cells, int capacity) {
    this.owner = owner;
    this.cells = cells;
    this.capacity = capacity;
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
    owner.close();
  }
}
