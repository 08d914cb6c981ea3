package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The prefix cache: a tree of blocks. A block is identified by its parent block and its own tokens,
 * which are compared exactly, so that there are no hash collisions. A block matches with any number
 * of its first tokens, so that a sequence is continued at its end, not only at the last full block.
 */
final class PrefixTree {
  /** The parent of the first block of a sequence without salt. */
  static final long ROOT = 0;

  /**
   * Children by serial number of the parent, in lexicographic order, where neighbors share the
   * longest prefixes.
   */
  private final Map<Long, NavigableMap<int[], Block>> following = new HashMap<>();

  private final int blockSize;
  private long serials;

  /** Creates an empty tree over blocks of {@code blockSize} tokens. */
  PrefixTree(int blockSize) {
    this.blockSize = blockSize;
  }

  /**
   * Returns the parent of the first blocks of sequences with this salt, distinct from all others.
   */
  static long root(long salt) {
    return ROOT - salt;
  }

  /**
   * A cached prefix.
   *
   * @param whole complete blocks of its first tokens
   * @param partial a block whose first tokens continue it; null if there is none
   * @param count number of those tokens
   */
  record Match(List<Block> whole, @Nullable Block partial, int count) {}

  /**
   * Finds the longest cached prefix of {@code text}, at most {@code most} tokens.
   *
   * @param root parent of its first block
   * @param step the step being planned: blocks that it writes can be read, but not copied
   */
  Match find(long root, int[] text, int most, long step) {
    List<Block> whole = new ArrayList<>();
    long parent = root;
    for (int from = 0; from < most; from += blockSize) {
      int[] next = Arrays.copyOfRange(text, from, Math.min(from + blockSize, most));
      NavigableMap<int[], Block> candidates = following.get(parent);
      if (candidates == null) {
        break;
      }
      Block before = value(candidates.floorEntry(next));
      Block after = value(candidates.higherEntry(next));
      Block best = common(next, after) > common(next, before) ? after : before;
      int count = common(next, best);
      if (best == null || count < blockSize) {
        return best != null && count > 0 && best.step < step
            ? new Match(whole, best, count)
            : new Match(whole, null, 0);
      }
      whole.add(best);
      parent = best.serial;
    }
    return new Match(whole, null, 0);
  }

  private static @Nullable Block value(Map.@Nullable Entry<int[], Block> entry) {
    return entry == null ? null : entry.getValue();
  }

  private static int common(int[] text, @Nullable Block block) {
    if (block == null) {
      return 0;
    }
    int mismatch = Arrays.mismatch(text, block.tokens);
    return mismatch < 0 ? text.length : mismatch;
  }

  /**
   * Registers {@code block} as {@code tokens} after {@code parent}, unless another block is
   * registered.
   *
   * @param step that wrote the last of the tokens
   * @return the serial number of the registered block
   */
  long add(Block block, long parent, int[] tokens, long step) {
    NavigableMap<int[], Block> siblings =
        following.computeIfAbsent(parent, key -> new TreeMap<>(Arrays::compare));
    Block known = siblings.putIfAbsent(tokens, block);
    if (known != null) {
      return known.serial;
    }
    block.serial = ++serials;
    block.parent = parent;
    block.tokens = tokens;
    block.step = step;
    return block.serial;
  }

  /** Removes {@code block}, which is reused, from the prefix tree. */
  void remove(Block block) {
    NavigableMap<int[], Block> siblings = following.get(block.parent);
    if (block.serial != 0 && siblings != null) {
      siblings.remove(block.tokens);
      if (siblings.isEmpty()) {
        following.remove(block.parent);
      }
    }
    block.serial = 0;
  }

  /** Returns a parent that no block is: what is registered after it is never found. */
  long unreachable() {
    return ++serials;
  }

  /** Removes all blocks from the prefix tree. */
  void clear() {
    following.clear();
  }
}
