package roll.strategy.vllm;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Reference counts and allocation of KV blocks. Free blocks keep their content for prefix caching
 * until they are reused, least recently used first.
 */
final class BlockPool {
  private final int capacity;
  private final int blockSize;
  private final boolean remembers;
  private final SequencedSet<Block> unread = new LinkedHashSet<>();
  private PrefixTree tree;
  private int made;

  /**
   * Creates a pool of free blocks.
   *
   * @param capacity number of blocks
   * @param blockSize tokens of a block
   * @param remembers whether prefix caching is on
   */
  BlockPool(int capacity, int blockSize, boolean remembers) {
    this.capacity = capacity;
    this.blockSize = blockSize;
    this.remembers = remembers;
    this.tree = new PrefixTree(blockSize);
  }

  int capacity() {
    return capacity;
  }

  /** Returns the tokens of a block. */
  int blockSize() {
    return blockSize;
  }

  /** Returns the number of free blocks. */
  int free() {
    return capacity - made + unread.size();
  }

  /** Returns the number of blocks in use. */
  int used() {
    return capacity - free();
  }

  /**
   * Returns the number of distinct blocks taken since the last {@link #clear}; their ids are below
   * it.
   */
  int touched() {
    return made;
  }

  /** Allocates a block with a reference count of one; null if none is free. */
  @Nullable Block take() {
    Block block;
    if (made < capacity) {
      block = new Block(made++);
    } else if (unread.isEmpty()) {
      return null;
    } else {
      block = unread.removeFirst();
      tree.remove(block);
    }
    block.readers = 1;
    return block;
  }

  /** Increments the reference count of {@code block}. */
  void share(Block block) {
    if (block.readers++ == 0) {
      unread.remove(block);
    }
  }

  /** Decrements the reference count of {@code block}. */
  void release(Block block) {
    if (--block.readers == 0) {
      if (block.serial == 0) {
        unread.addFirst(block);
      } else {
        unread.addLast(block);
      }
    }
  }

  /** Finds cached blocks by {@link PrefixTree#find}. */
  PrefixTree.Match find(long root, int[] text, int most, long step) {
    return tree.find(root, text, remembers ? most : 0, step);
  }

  /**
   * Registers {@code block} by {@link PrefixTree#add}; a block registered with fewer tokens is
   * updated.
   */
  long remember(Block block, long parent, int[] tokens, long step) {
    if (!remembers) {
      return PrefixTree.ROOT;
    }
    if (block.serial != 0) {
      tree.remove(block);
    }
    return tree.add(block, parent, tokens, step);
  }

  /** Makes the content of all blocks unknown to later sequences; blocks in use keep it. */
  void renew() {
    unread.forEach(block -> block.serial = 0);
    tree.clear();
  }

  /** Returns a new parent for blocks that other sequences must not find. */
  long unreachable() {
    return tree.unreachable();
  }

  /**
   * Discards the content of all blocks.
   *
   * @throws IllegalStateException if one is in use
   */
  void clear() {
    if (used() > 0) {
      throw new IllegalStateException(used() + " blocks are still read");
    }
    unread.clear();
    tree = new PrefixTree(blockSize);
    made = 0;
  }
}
