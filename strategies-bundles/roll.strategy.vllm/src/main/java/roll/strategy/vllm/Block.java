package roll.strategy.vllm;

/** A block of the KV cache: room for the keys and values of some tokens that follow each other. */
final class Block {
  /** Where it is in the pool. */
  final int id;

  /** How many sequences read it. */
  int readers;

  /** Serial number of what {@link PrefixTree} knows it as; 0 while it knows nothing. */
  long serial;

  /** Serial number of the block before it, {@link PrefixTree#ROOT} for the first of a text. */
  long parent;

  /** The tokens the tree knows it by; fewer than a block holds where a text ended within it. */
  int[] tokens = {};

  /** The engine's step that wrote the last of {@link #tokens}. */
  long step;

  Block(int id) {
    this.id = id;
  }
}
