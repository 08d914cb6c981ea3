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
 * Which blocks hold the beginning of a text. A block is known by the block before it and its own
 * tokens, compared one by one, so what is found is what was asked for and never a collision of
 * hashes; and by any number of its first tokens, so that a text is continued where it ended and not
 * at the last full block.
 */
final class PrefixTree {
  /** What the first block of a text follows, unless it has a salt. */
  static final long ROOT = 0;

  /** By the serial of the block before: in lexicographic order, where neighbors share most. */
  private final Map<Long, NavigableMap<int[], Block>> following = new HashMap<>();

  private final int blockSize;
  private long serials;

  /** An empty tree over blocks of {@code blockSize} tokens. */
  PrefixTree(int blockSize) {
    this.blockSize = blockSize;
  }

  /** What the first blocks of texts with this salt follow, and those of no others. */
  static long root(long salt) {
    return ROOT - salt;
  }

  /**
   * Where a text is found.
   *
   * @param whole blocks that hold its first tokens
   * @param partial a block whose first tokens follow; null if there is none
   * @param count how many those are
   */
  record Match(List<Block> whole, @Nullable Block partial, int count) {}

  /**
   * The longest beginning of {@code text} that is known, at most {@code most} tokens.
   *
   * @param root what its first block follows
   * @param step the step that is planned: what it writes itself can be read, but not copied
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
   * Makes {@code block} known as {@code tokens} behind {@code parent}, unless another is already.
   *
   * @param step that writes the last of the tokens
   * @return the serial number of the block that is known
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

  /** Forgets {@code block}, which holds something else from now on. */
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

  /** Forgets all. */
  void clear() {
    following.clear();
  }
}
