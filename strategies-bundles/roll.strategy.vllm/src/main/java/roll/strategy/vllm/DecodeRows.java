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
import roll.strategy.vllm.SharedPrefixes.Prefix;

/**
 * The assignment of rows to decoding sequences. A decoding sequence has a second, contiguous copy
 * of its keys and values in a row of a table, which attention reads without gathering blocks; each
 * step only appends. The rows of a table have the length that its sequences need, rounded up to a
 * power of two, and are dense. Sequences with a shared prefix have tables of their own, whose rows
 * begin behind it.
 */
final class DecodeRows {
  private final int shortest;
  private final int ahead;

  private final SharedPrefixes prefixes;

  private final Map<Key, List<EngineRequest>> tables = new TreeMap<>();

  /** All sequences that have a row. */
  private final Set<EngineRequest> seated = new HashSet<>();

  /**
   * Creates an empty assignment.
   *
   * @param shortest minimum row length in tokens
   * @param ahead number of tokens that can be appended before the next arrangement
   * @param prefixes that sequences share
   */
  DecodeRows(int shortest, int ahead, SharedPrefixes prefixes) {
    this.shortest = shortest;
    this.ahead = ahead;
    this.prefixes = prefixes;
  }

  /**
   * A table.
   *
   * @param prefix number of the prefix of its rows; 0 if they have none
   * @param length row length in tokens
   */
  record Key(int prefix, int length) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byPrefix = Integer.compare(prefix, other.prefix);
      return byPrefix == 0 ? Integer.compare(length, other.length) : byPrefix;
    }
  }

  /**
   * Rows of one table that are read together in a decode step.
   *
   * @param prefix of all rows; null if they have none
   * @param offset tokens of the prefix
   * @param parts the scheduled tokens of each row, in their order
   */
  record Group(Key table, @Nullable Prefix prefix, int offset, List<StepPlan.Part> parts) {
    /** Returns the tokens of the longest row. */
    int width() {
      return parts.stream().mapToInt(part -> part.from() + 1 - offset).max().orElse(0);
    }
  }

  /** Moves a row within a table. */
  record Move(Key table, int from, int to) {}

  /** Assigns a row to a sequence, to be filled from its blocks behind {@code offset} tokens. */
  record Join(Key table, int row, int offset, StepPlan.Part part) {}

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
    prefixes.keep(wanted.keySet());
    tables.forEach(
        (table, rows) -> {
          leave(table, rows, wanted, moves);
          seated.addAll(rows);
        });
    List<StepPlan.Part> joining =
        parts.stream().filter(part -> !seated.contains(part.sequence())).toList();
    prefixes.assign(joining);
    List<Join> joins = new ArrayList<>();
    for (StepPlan.Part part : joining) {
      Key table = table(part);
      List<EngineRequest> rows = tables.computeIfAbsent(table, key -> new ArrayList<>());
      joins.add(new Join(table, rows.size(), prefixes.tokens(part.sequence()), part));
      rows.add(part.sequence());
      seated.add(part.sequence());
    }
    tables.values().removeIf(List::isEmpty);
    List<Group> groups = new ArrayList<>();
    tables.forEach(
        (table, rows) ->
            groups.add(
                new Group(
                    table,
                    prefixes.of(rows.getFirst()),
                    prefixes.tokens(rows.getFirst()),
                    rows.stream().map(row -> requireNonNull(wanted.get(row))).toList())));
    return new Arrangement(moves, joins, groups);
  }

  /** Returns the table for {@code part}. */
  private Key table(StepPlan.Part part) {
    Prefix prefix = prefixes.of(part.sequence());
    int tokens = part.from() - prefixes.tokens(part.sequence()) + ahead;
    int length = Math.max(shortest, Integer.highestOneBit(2 * (tokens - 1) + 1));
    return new Key(prefix == null ? 0 : prefix.number(), length);
  }

  /** Removes sequences that are not wanted in these rows; the last rows fill the gaps. */
  private void leave(
      Key table,
      List<EngineRequest> rows,
      Map<EngineRequest, StepPlan.Part> wanted,
      List<Move> moves) {
    int row = 0;
    while (row < rows.size()) {
      if (stays(table, wanted.get(rows.get(row)))) {
        row++;
        continue;
      }
      EngineRequest last = rows.removeLast();
      if (row < rows.size() && stays(table, wanted.get(last))) {
        moves.add(new Move(table, rows.size(), row));
        rows.set(row, last);
      }
    }
  }

  private boolean stays(Key table, StepPlan.@Nullable Part part) {
    return part != null && table(part).equals(table);
  }

  /** Releases all rows of decoding sequences. */
  void clear() {
    tables.clear();
    seated.clear();
    prefixes.clear();
  }
}
