package roll.strategy.vllm;

/** A block of the KV cache: slots for the keys and values of consecutive tokens. */
final class Block {
  /** Index of the block in the pool. */
  final int id;

  /** Reference count: number of sequences that read the block. */
  int readers;

  /** Serial number of the block's content in {@link PrefixTree}; 0 if it is not in the tree. */
  long serial;

  /** Serial number of the previous block, {@link PrefixTree#ROOT} for the first of a sequence. */
  long parent;

  /** The tokens in the tree; fewer than the block size if a sequence ended within it. */
  int[] tokens = {};

  /** The engine step that wrote the last of {@link #tokens}. */
  long step;

  Block(int id) {
    this.id = id;
  }
}
