package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The prefixes that decoding sequences share: cached blocks that several of them begin with, such
 * as the prompt of a group. Attention reads a prefix once for all of its sequences.
 */
final class SharedPrefixes {
  private final int blockSize;
  private final long least;
  private final Map<EngineRequest, Prefix> held = new HashMap<>();
  private int count;

  /**
   * Creates an empty assignment.
   *
   * @param least minimum number of tokens that sequences read less, in total, for a prefix
   */
  SharedPrefixes(int blockSize, long least) {
    this.blockSize = blockSize;
    this.least = least;
  }

  /**
   * Blocks that sequences begin with.
   *
   * @param number from 1, for each prefix another
   */
  record Prefix(int number, List<Block> blocks) {}

  /** Returns the prefix of a sequence; null if it has none. */
  @Nullable Prefix of(EngineRequest sequence) {
    return held.get(sequence);
  }

  /** Returns the number of tokens of the prefix of {@code sequence}. */
  int tokens(EngineRequest sequence) {
    Prefix prefix = held.get(sequence);
    return prefix == null ? 0 : prefix.blocks().size() * blockSize;
  }

  /** Releases the prefixes of all sequences but {@code decoding}. */
  void keep(Set<EngineRequest> decoding) {
    held.keySet().retainAll(decoding);
  }

  /** Assigns prefixes to sequences that begin to decode; others keep theirs. */
  void assign(List<StepPlan.Part> joining) {
    Map<Block, List<StepPlan.Part>> byLast = new LinkedHashMap<>();
    Map<Block, Prefix> known = new HashMap<>();
    held.values().forEach(prefix -> known.put(prefix.blocks().getLast(), prefix));
    for (StepPlan.Part part : joining) {
      int shared = held.containsKey(part.sequence()) ? 0 : shared(part);
      if (shared > 0) {
        Block last = part.sequence().blocks().get(shared - 1);
        byLast.computeIfAbsent(last, _ -> new ArrayList<>()).add(part);
      }
    }
    byLast.forEach(
        (last, parts) -> {
          List<Block> blocks = parts.getFirst().sequence().blocks();
          int size = blocks.indexOf(last) + 1;
          Prefix prefix = known.get(last);
          if (prefix == null && (parts.size() - 1L) * size * blockSize >= least) {
            prefix = new Prefix(++count, List.copyOf(blocks.subList(0, size)));
          }
          for (StepPlan.Part part : parts) {
            if (prefix != null) {
              held.put(part.sequence(), prefix);
            }
          }
        });
  }

  /** Returns the number of computed full blocks at the beginning that other sequences read, too. */
  private int shared(StepPlan.Part part) {
    List<Block> blocks = part.sequence().blocks();
    int full = Math.min(blocks.size(), part.from() / blockSize);
    int shared = 0;
    while (shared < full && blocks.get(shared).readers > 1) {
      shared++;
    }
    return shared;
  }

  /** Releases all prefixes. */
  void clear() {
    held.clear();
  }
}
