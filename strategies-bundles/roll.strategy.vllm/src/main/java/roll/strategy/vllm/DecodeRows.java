package roll.strategy.vllm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of rows to decoding sequences. A decoding sequence has a second, contiguous copy
 * of its keys and values in a row of a table, which attention reads without gathering blocks; each
 * step only appends. The rows of a table have the length that its sequences need, rounded up to a
 * power of two, and are dense.
 */
final class DecodeRows {
  private final int shortest;
  private final int ahead;

  /** Row tables by row length. */
  private final Map<Integer, List<EngineRequest>> tables = new TreeMap<>();

  /** All sequences that have a row. */
  private final Set<EngineRequest> seated = new HashSet<>();

  /**
   * Creates an empty assignment.
   *
   * @param shortest minimum row length in tokens
   * @param ahead number of tokens that can be appended before the next arrangement
   */
  DecodeRows(int shortest, int ahead) {
    this.shortest = shortest;
    this.ahead = ahead;
  }

  /**
   * Rows of one table that are read together in a decode step.
   *
   * @param length row length of the table
   * @param parts the scheduled tokens of each row, in their order
   */
  record Group(int length, List<StepPlan.Part> parts) {
    /** Returns the tokens of the longest row. */
    int width() {
      return parts.stream().mapToInt(part -> part.from() + 1).max().orElse(0);
    }
  }

  /** Moves a row within a table. */
  record Move(int length, int from, int to) {}

  /** Assigns a row to a sequence, to be filled from its blocks. */
  record Join(int length, int row, StepPlan.Part part) {}

  /**
   * The operations of a step, in this order.
   *
   * @param moves within tables
   * @param joins to the rows after those
   * @param groups that are read, one for each table
   */
  record Arrangement(List<Move> moves, List<Join> joins, List<Group> groups) {}

  /** Returns whether {@code part} gets a row: not for its last token only. */
  boolean takes(StepPlan.Part part) {
    EngineRequest sequence = part.sequence();
    return part.decodes() && (seated.contains(sequence) || sequence.response().remaining() > 1);
  }

  /** Assigns rows to {@code parts}, which have one token each, and releases all other rows. */
  Arrangement arrange(List<StepPlan.Part> parts) {
    Map<EngineRequest, StepPlan.Part> wanted = new HashMap<>();
    parts.forEach(part -> wanted.put(part.sequence(), part));
    List<Move> moves = new ArrayList<>();
    seated.clear();
    tables.forEach(
        (length, rows) -> {
          leave(length, rows, wanted, moves);
          seated.addAll(rows);
        });
    List<Join> joins = new ArrayList<>();
    for (StepPlan.Part part : parts) {
      if (!seated.contains(part.sequence())) {
        List<EngineRequest> rows = tables.computeIfAbsent(length(part), key -> new ArrayList<>());
        joins.add(new Join(length(part), rows.size(), part));
        rows.add(part.sequence());
        seated.add(part.sequence());
      }
    }
    tables.values().removeIf(List::isEmpty);
    List<Group> groups = new ArrayList<>();
    tables.forEach(
        (length, rows) ->
            groups.add(
                new Group(
                    length, rows.stream().map(row -> requireNonNull(wanted.get(row))).toList())));
    return new Arrangement(moves, joins, groups);
  }

  /** Returns the row length for {@code part}. */
  private int length(StepPlan.Part part) {
    return Math.max(shortest, Integer.highestOneBit(2 * (part.from() + ahead - 1) + 1));
  }

  /** Removes sequences that are not wanted in these rows; the last rows fill the gaps. */
  private void leave(
      int length,
      List<EngineRequest> rows,
      Map<EngineRequest, StepPlan.Part> wanted,
      List<Move> moves) {
    int row = 0;
    while (row < rows.size()) {
      if (stays(length, wanted.get(rows.get(row)))) {
        row++;
        continue;
      }
      EngineRequest last = rows.removeLast();
      if (row < rows.size() && stays(length, wanted.get(last))) {
        moves.add(new Move(length, rows.size(), row));
        rows.set(row, last);
      }
    }
  }

  private boolean stays(int length, StepPlan.@Nullable Part part) {
    return part != null && length(part) == length;
  }

  /** Releases all rows of decoding sequences. */
  void clear() {
    tables.clear();
    seated.clear();
  }
}
