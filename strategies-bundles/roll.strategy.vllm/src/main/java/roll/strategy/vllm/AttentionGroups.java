package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Groups sequences with similar numbers of cached and new tokens, whose attention is computed
 * together, padded to the longest of a group.
 *
 * @param blockSize tokens of a block
 * @param cellNumbers numbers of the keys of one token in one layer
 * @param bounds of each group
 */
record AttentionGroups(int blockSize, int cellNumbers, Bounds bounds) {
  /** A group may be padded to this many sixteenths of its shortest sequence, and a little more. */
  private static final int PADDED = 20;

  /**
   * Bounds of a group.
   *
   * @param read maximum numbers of the cache that it reads in a layer
   * @param masked maximum numbers of its mask
   * @param asked maximum padded tokens
   */
  record Bounds(long read, long masked, int asked) {
    /** Bounds on a processor: the numbers that a group reads stay in its cache. */
    static final Bounds DENSE = new Bounds(1 << 20, 1 << 20, 2048);

    /** Bounds with flash attention: a group copies at most 128 MiB in bf16, and has no mask. */
    static final Bounds FLASH = new Bounds(1 << 26, Long.MAX_VALUE, 1 << 16);
  }

  /**
   * The parts from {@code first} to {@code end}.
   *
   * @param token index of the first token
   * @param tokens of the longest part
   * @param blocks maximum number of blocks that a part reads
   * @param fresh whether they read no earlier tokens
   */
  record Group(int first, int end, int token, int tokens, int blocks, boolean fresh) {}

  /** Returns {@code parts} in the order in which they can be grouped. */
  List<StepPlan.Part> sorted(List<StepPlan.Part> parts) {
    List<StepPlan.Part> sorted = new ArrayList<>(parts);
    sorted.sort(
        Comparator.<StepPlan.Part>comparingInt(part -> fresh(part) ? 1 : 0)
            .thenComparingInt(StepPlan.Part::count)
            .thenComparingInt(this::blocks)
            .thenComparingLong(part -> part.sequence().arrival()));
    return sorted;
  }

  /** Groups the sorted parts from {@code first} on; earlier ones have one token each. */
  List<Group> of(List<StepPlan.Part> parts, int first) {
    List<Group> groups = new ArrayList<>();
    int token = first;
    int next = first;
    int widest = 0;
    for (int end = first + 1; end <= parts.size(); end++) {
      StepPlan.Part last = parts.get(end - 1);
      next += last.count();
      widest = Math.max(widest, blocks(last));
      if (end == parts.size() || !fits(parts, first, end + 1, widest)) {
        groups.add(new Group(first, end, token, last.count(), widest, fresh(last)));
        first = end;
        token = next;
        widest = 0;
      }
    }
    return groups;
  }

  /**
   * Returns whether the parts from {@code first} to {@code end}, all but the last of at most {@code
   * widest} blocks, can be one group.
   */
  private boolean fits(List<StepPlan.Part> parts, int first, int end, int widest) {
    StepPlan.Part least = parts.get(first);
    StepPlan.Part most = parts.get(end - 1);
    int count = end - first;
    int width = Math.max(widest, blocks(most));
    return fresh(least) == fresh(most)
        && (least.count() == 1) == (most.count() == 1)
        && near(least.count(), most.count(), 4)
        && count * most.count() <= bounds.asked()
        && (fresh(most)
            || (near(blocks(least), width, 2)
                && (long) count * width * blockSize * cellNumbers <= bounds.read()
                && (long) count * most.count() * width * blockSize <= bounds.masked()));
  }

  private static boolean near(int least, int most, int more) {
    return most <= PADDED * least / 16 + more;
  }

  private static boolean fresh(StepPlan.Part part) {
    return part.from() == 0 && part.count() > 1;
  }

  /** Returns the number of blocks that the queries of {@code part} read. */
  private int blocks(StepPlan.Part part) {
    return Math.ceilDiv(part.from() + part.count(), blockSize);
  }
}
