package roll.strategy.vllm;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Who reads which block. Blocks that nobody reads are kept for what they hold until they are needed
 * for something else, the one that was not read for the longest time first.
 */
final class BlockPool {
  private final int capacity;
  private final int blockSize;
  private final boolean remembers;
  private final SequencedSet<Block> unread = new LinkedHashSet<>();
  private PrefixTree tree;
  private int made;

  /**
   * A pool nobody reads.
   *
   * @param capacity blocks of it
   * @param blockSize tokens of a block
   * @param remembers whether what was written is found again
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

  /** Tokens of a block. */
  int blockSize() {
    return blockSize;
  }

  /** Blocks that nobody reads. */
  int free() {
    return capacity - made + unread.size();
  }

  /** Blocks that somebody reads. */
  int used() {
    return capacity - free();
  }

  /** How many different blocks were ever taken since the last {@link #clear}: ids are below it. */
  int touched() {
    return made;
  }

  /** A block to write, with one reader; null if all are read. */
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

  /** One more reads {@code block}. */
  void share(Block block) {
    if (block.readers++ == 0) {
      unread.remove(block);
    }
  }

  /** One fewer reads {@code block}. */
  void release(Block block) {
    if (--block.readers == 0) {
      if (block.serial == 0) {
        unread.addFirst(block);
      } else {
        unread.addLast(block);
      }
    }
  }

  /** {@link PrefixTree#find}. */
  PrefixTree.Match find(long root, int[] text, int most, long step) {
    return tree.find(root, text, remembers ? most : 0, step);
  }

  /** {@link PrefixTree#add}; a block that is known by fewer tokens is known by these then. */
  long remember(Block block, long parent, int[] tokens, long step) {
    if (!remembers) {
      return PrefixTree.ROOT;
    }
    if (block.serial != 0) {
      tree.remove(block);
    }
    return tree.add(block, parent, tokens, step);
  }

  /**
   * Forgets what blocks hold.
   *
   * @throws IllegalStateException if one is read
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
