package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of ranges of one table of tokens to the sequences of recorded steps. Like a row of
 * {@link DecodeRows}, a range has a second, contiguous copy of a sequence's keys and values; but a
 * sequence keeps its range as long as it fits, since nothing is read by rows.
 */
final class DecodeRanges {
  /** Minimum length of a range. */
  private static final int SHORTEST = 64;

  private final int longest;
  private final int ahead;

  /** Lengths of the free ranges by their starts; none is next to another. */
  private final TreeMap<Integer, Integer> free = new TreeMap<>();

  private final Map<EngineRequest, Range> held = new HashMap<>();

  private record Range(int start, int length) {}

  /**
   * Creates free ranges.
   *
   * @param tokens of the table
   * @param longest tokens of a sequence
   * @param ahead number of tokens that can be appended before the next arrangement
   */
  DecodeRanges(int tokens, int longest, int ahead) {
    this.longest = longest;
    this.ahead = ahead;
    free.put(0, tokens);
  }

  /** A sequence with a range: its scheduled token, and the start of the range. */
  record Seat(StepPlan.Part part, int start) {}

  /**
   * The rows of a step.
   *
   * @param seats all rows
   * @param joins those whose range is to be filled from their blocks first
   */
  record Arrangement(List<Seat> seats, List<Seat> joins) {}

  /**
   * Returns whether a recorded step may compute {@code part}: any next token of a sequence without
   * pictures, but not its last one only.
   */
  boolean takes(StepPlan.Part part) {
    var response = part.sequence().response();
    return part.decodes()
        && response.pictures() == null
        && !response.restricted()
        && (held.containsKey(part.sequence()) || response.remaining() > 1);
  }

  /** Assigns ranges to {@code parts}, as far as there is room, and releases all others. */
  Arrangement arrange(List<StepPlan.Part> parts) {
    Set<EngineRequest> staying = new HashSet<>();
    for (StepPlan.Part part : parts) {
      Range range = held.get(part.sequence());
      if (range != null && range.length() >= length(part)) {
        staying.add(part.sequence());
      }
    }
    held.entrySet()
        .removeIf(
            entry -> {
              boolean leaves = !staying.contains(entry.getKey());
              if (leaves) {
                release(entry.getValue());
              }
              return leaves;
            });
    List<Seat> seats = new ArrayList<>();
    List<Seat> joins = new ArrayList<>();
    for (StepPlan.Part part : parts) {
      Range range = held.get(part.sequence());
      if (range == null) {
        range = take(length(part));
        if (range == null) {
          continue;
        }
        held.put(part.sequence(), range);
        joins.add(new Seat(part, range.start()));
      }
      seats.add(new Seat(part, range.start()));
    }
    return new Arrangement(seats, joins);
  }

  /** Returns the length of a range for {@code part}. */
  private int length(StepPlan.Part part) {
    int power = Integer.highestOneBit(2 * (part.from() + ahead - 1) + 1);
    return Math.min(longest, Math.max(SHORTEST, power));
  }

  /** Returns the first free range of {@code length} tokens; null if there is none. */
  private @Nullable Range take(int length) {
    Integer start =
        free.entrySet().stream()
            .filter(range -> range.getValue() >= length)
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(null);
    if (start == null) {
      return null;
    }
    Integer found = free.remove(start);
    if (found != null && found > length) {
      free.put(start + length, found - length);
    }
    return new Range(start, length);
  }

  private void release(Range range) {
    int start = range.start();
    int length = range.length();
    Map.Entry<Integer, Integer> before = free.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
      length += before.getValue();
    }
    Integer after = free.remove(range.start() + range.length());
    free.put(start, after == null ? length : length + after);
  }

  /** Releases all ranges. */
  void clear() {
    held.values().forEach(this::release);
    held.clear();
  }
}
