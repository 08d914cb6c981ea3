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
 * Who has a row. A sequence that continues token by token has its keys and values per second time,
 * one behind the other in a row of a table, where attention reads them without looking for blocks;
 * each step only appends. A table's rows are as long as its sequences need, to a factor of two, and
 * have no gaps between them.
 */
final class DecodeRows {
  private final int shortest;
  private final int ahead;

  /** By the length of the rows. */
  private final Map<Integer, List<EngineRequest>> tables = new TreeMap<>();

  /** All of them. */
  private final Set<EngineRequest> seated = new HashSet<>();

  /**
   * No rows.
   *
   * @param shortest tokens of the shortest rows
   * @param ahead how many tokens can be appended before rows are arranged again
   */
  DecodeRows(int shortest, int ahead) {
    this.shortest = shortest;
    this.ahead = ahead;
  }

  /**
   * Rows that are read together.
   *
   * @param length tokens that a row of their table can have
   * @param parts what is computed for each row, in their order
   */
  record Group(int length, List<StepPlan.Part> parts) {
    /** Tokens of the longest row. */
    int width() {
      return parts.stream().mapToInt(part -> part.from() + 1).max().orElse(0);
    }
  }

  /** A row of a table becomes another. */
  record Move(int length, int from, int to) {}

  /** A sequence gets a row, to be filled from its blocks. */
  record Join(int length, int row, StepPlan.Part part) {}

  /**
   * What is done in a step, in this order.
   *
   * @param moves within tables
   * @param joins to rows behind those
   * @param groups that are read, one a table
   */
  record Arrangement(List<Move> moves, List<Join> joins, List<Group> groups) {}

  /** Whether {@code part} is read from a row: not if it would only be filled for a last token. */
  boolean takes(StepPlan.Part part) {
    EngineRequest sequence = part.sequence();
    return part.decodes() && (seated.contains(sequence) || sequence.response().remaining() > 1);
  }

  /** Gives rows to {@code parts}, which have one token each, and takes those of all others away. */
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

  /** Tokens of the rows that {@code part} belongs to. */
  private int length(StepPlan.Part part) {
    return Math.max(shortest, Integer.highestOneBit(2 * (part.from() + ahead - 1) + 1));
  }

  /** Takes out who is not wanted in these rows; the last ones take their places. */
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

  /** Takes all rows away. */
  void clear() {
    tables.clear();
    seated.clear();
  }
}
