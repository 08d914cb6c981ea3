package roll.strategy.vllm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Allocates the blocks of a {@link BlockPool} to sequences, beginning with cached prefixes. */
final class KvCacheManager {
  private final BlockPool pool;

  /** Creates a manager of the blocks of {@code pool}. */
  KvCacheManager(BlockPool pool) {
    this.pool = pool;
  }

  /**
   * Allocates the blocks for the first tokens of {@code sequence}, behind its longest cached
   * prefix; returns the number of tokens to compute, at most {@code most}, or 0 if there are no
   * blocks.
   *
   * @param most at least one
   */
  int begin(EngineRequest sequence, int most, StepPlan plan, long step) {
    int[] text = sequence.text();
    PrefixTree.Match match = pool.find(sequence.root(), text, text.length - 1, step);
    match.whole().forEach(pool::share);
    int found = match.whole().size() * pool.blockSize() + match.count();
    int count = Math.min(text.length - found, most);
    int needed = Math.ceilDiv(found + count, pool.blockSize()) - match.whole().size();
    if (needed > pool.free()) {
      match.whole().reversed().forEach(pool::release);
      return 0;
    }
    sequence.begin(match.whole(), found);
    Block partial = match.partial();
    if (partial != null) {
      Block own = taken(pool.take());
      sequence.blocks().add(own);
      plan.copy(partial, own);
    }
    reserve(sequence, count, plan);
    return count;
  }

  /** Begins {@code sequence} with the blocks of {@code leader}, which has the same prompt. */
  void share(EngineRequest leader, EngineRequest sequence) {
    leader.blocks().forEach(pool::share);
    sequence.follow(leader);
  }

  /**
   * Allocates the blocks for {@code count} more tokens of {@code sequence}; returns false if there
   * are none.
   */
  boolean reserve(EngineRequest sequence, int count, StepPlan plan) {
    List<Block> blocks = sequence.blocks();
    int begun = sequence.computed() / pool.blockSize();
    if (begun < blocks.size() && blocks.get(begun).readers > 1) {
      Block own = pool.take();
      if (own == null) {
        return false;
      }
      Block shared = blocks.set(begun, own);
      plan.copy(shared, own);
      pool.release(shared);
    }
    for (int missing = missing(sequence, count); missing > 0; missing--) {
      Block block = pool.take();
      if (block == null) {
        return false;
      }
      blocks.add(block);
    }
    return true;
  }

  /**
   * Returns the number of further blocks that {@code sequence} needs for {@code count} more tokens.
   */
  int missing(EngineRequest sequence, int count) {
    int needed = Math.ceilDiv(sequence.computed() + count, pool.blockSize());
    return Math.max(0, needed - sequence.blocks().size());
  }

  private static Block taken(@Nullable Block block) {
    if (block == null) {
      throw new IllegalStateException("the pool has fewer blocks than it says");
    }
    return block;
  }
}
