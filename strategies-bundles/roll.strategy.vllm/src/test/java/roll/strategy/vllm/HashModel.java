package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import roll.sampling.ResponseState;

/**
 * Does what {@code step.py} does, with hashes in place of keys, values and logits: a slot depends
 * on the token, its position, the weights' version and the previous slot, and a sampled token on
 * all slots before it. One wrong slot, table or position changes everything that follows.
 */
final class HashModel {
  private static final int VOCABULARY = 5;

  /** By address: a cell of the blocks, or one of a table of rows. */
  private final Map<Long, Long> memory = new HashMap<>();

  private final Set<Integer> copied = new HashSet<>();
  private final int blockSize;
  private long version;

  /** Number of prefixes in all steps. */
  long shared;

  HashModel(int blockSize) {
    this.blockSize = blockSize;
  }

  /** Goes over to other weights; nothing in the cache counts any more. */
  void use(long other, RandomGenerator noise) {
    version = other;
    memory.replaceAll((address, value) -> noise.nextLong());
    copied.clear();
  }

  private long at(long address) {
    return memory.getOrDefault(address, ~address);
  }

  /** Address of a cell of a table. */
  private static long rowCell(DecodeRows.Key table, long row, long position) {
    long length = table.length();
    return ((((long) table.prefix() << 10) + length) << 32) + row * length + position;
  }

  /** Address of a token of the copy of a prefix. */
  private static long prefixCell(DecodeRows.Group table, long position) {
    return ((long) table.table().prefix() << 42) + position;
  }

  /** Copies new prefixes, and forgets those that no table has. */
  private void prefixes(List<DecodeRows.Group> tables) {
    Set<Integer> present = new HashSet<>();
    for (DecodeRows.Group table : tables) {
      SharedPrefixes.Prefix prefix = table.prefix();
      if (prefix != null && present.add(prefix.number()) && !copied.contains(prefix.number())) {
        for (int i = 0; i < table.offset(); i++) {
          long block = prefix.blocks().get(i / blockSize).id;
          memory.put(prefixCell(table, i), at(block * blockSize + i % blockSize));
        }
      }
    }
    shared += present.size();
    copied.clear();
    copied.addAll(present);
  }

  private static long mix(long a, long b) {
    long x = (a ^ b * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return x ^ x >>> 29;
  }

  private long cell(long before, long token, long position) {
    return mix(mix(before, token), mix(position, version));
  }

  private static int draw(long seen, double uniform) {
    return Math.floorMod(mix(seen, Double.doubleToLongBits(uniform)), VOCABULARY);
  }

  /** Returns the continuation of {@code text}, computed without cache. */
  int next(int[] text, double uniform) {
    long before = 0;
    long seen = 0;
    for (int i = 0; i < text.length; i++) {
      before = cell(before, text[i], i);
      seen = mix(seen, before);
    }
    return draw(seen, uniform);
  }

  /** The locations of a token's prefix slots, its own last, and its own in the blocks. */
  private record Query(int token, int position, List<Long> cells, long own) {}

  /** Runs a step; what each row draws in each pass. */
  int[][] run(StepInput packing) {
    Layout layout = new Layout(packing);
    assertEquals(layout.to.length, Arrays.stream(layout.to).distinct().count());
    prefixes(packing.tables());
    copy(layout.from, layout.to);
    layout.moves(this::move);
    layout.joins(blockSize, (to, from) -> memory.put(to, at(from)));
    int[][] drawn = new int[layout.passes][];
    for (int pass = 0; pass < layout.passes; pass++) {
      if (pass > 0) {
        layout.continueWith(drawn[pass - 1], pass);
      }
      drawn[pass] = run(packing, layout, pass);
    }
    return drawn;
  }

  private int[] run(StepInput packing, Layout layout, int pass) {
    Query[] queries = layout.queries(blockSize);
    for (Query query : queries) {
      assertEquals(query.position() + 1, query.cells().size());
    }
    boolean changed = true;
    for (int round = 0; changed; round++) { // a token may read what another of this step writes
      changed = false;
      for (Query query : queries) {
        List<Long> cells = query.cells();
        long before = query.position() == 0 ? 0 : at(cells.get(cells.size() - 2));
        long now = cell(before, query.token(), query.position());
        changed |= at(cells.getLast()) != now || at(query.own()) != now;
        memory.put(cells.getLast(), now);
        memory.put(query.own(), now);
      }
      assertEquals(true, round <= queries.length, "two tokens have the same cell");
    }
    int[] drawn = new int[layout.rows.length];
    for (int row = 0; row < drawn.length; row++) {
      long seen = 0;
      for (long cell : queries[(int) layout.rows[row]].cells()) {
        seen = mix(seen, at(cell));
      }
      ResponseState response = packing.responses().get(row);
      drawn[row] = draw(seen, response.uniform(pass));
    }
    return drawn;
  }

  private void copy(long[] from, long[] to) {
    Map<Long, Long> before = new HashMap<>();
    for (int i = 0; i < from.length; i++) {
      for (int j = 0; j < blockSize; j++) {
        before.put(to[i] * blockSize + j, at(from[i] * blockSize + j));
      }
    }
    memory.putAll(before);
  }

  private void move(DecodeRows.Key table, long from, long to) {
    for (long position = 0; position < table.length(); position++) {
      memory.put(rowCell(table, to, position), at(rowCell(table, from, position)));
    }
  }

  private interface Move {
    void make(DecodeRows.Key table, long from, long to);
  }

  private interface Copy {
    void make(long to, long from);
  }

  /** The numbers of a plan as {@code step.py} takes them apart. */
  private static final class Layout {
    private final long[] numbers;
    private final List<DecodeRows.Group> tables;
    private int at;
    final int tokens;
    final long[] groups;
    final long[] reads;
    final long[] moves;
    final long[] joins;
    final long[] ids;
    final long[] positions;
    final int passes;
    private final long[] allCells;
    long[] cells;
    private final long[] limits;
    final long[] rows;
    final long[] from;
    final long[] to;

    Layout(StepInput packing) {
      this.numbers = packing.numbers();
      this.tables = packing.tables();
      long[] header = next(8);
      tokens = (int) header[0];
      groups = next(5 * (int) header[3]);
      reads = next(3 * (int) header[4]);
      moves = next(3 * (int) header[5]);
      joins = next(4 * (int) header[6]);
      assertEquals(tables.size(), header[4]);
      ids = next(tokens);
      positions = next(tokens);
      passes = (int) header[7];
      allCells = next(passes * tokens);
      cells = Arrays.copyOf(allCells, tokens);
      limits = next(passes > 1 ? tokens : 0);
      rows = next((int) header[1]);
      from = next((int) header[2]);
      to = next((int) header[2]);
    }

    /** Goes over to pass {@code pass}: every row has the token it drew, up to its limit. */
    void continueWith(int[] drawn, int pass) {
      assertEquals(0, groups.length);
      assertEquals(tokens, drawn.length);
      for (int i = 0; i < tokens; i++) {
        assertEquals(i, rows[i]);
        if (limits[i] > pass) {
          ids[i] = drawn[i];
          positions[i]++;
        }
      }
      for (int table = 0; table < tables.size(); table++) {
        reads[3 * table + 1]++;
      }
      cells = Arrays.copyOfRange(allCells, pass * tokens, (pass + 1) * tokens);
    }

    private long[] next(int count) {
      at += count;
      return Arrays.copyOfRange(numbers, at - count, at);
    }

    void moves(Move move) {
      for (int m = 0; m < moves.length; m += 3) {
        move.make(tables.get((int) moves[m]).table(), moves[m + 1], moves[m + 2]);
      }
    }

    void joins(int blockSize, Copy copy) {
      for (int j = 0; j < joins.length; j += 4) {
        long[] blocks = next((int) joins[j + 3]);
        for (int i = 0; i < joins[j + 2]; i++) {
          long from = blocks[i / blockSize] * blockSize + i % blockSize;
          copy.make(rowCell(tables.get((int) joins[j]).table(), joins[j + 1], i), from);
        }
      }
    }

    /** For each token which cells it may see. */
    Query[] queries(int blockSize) {
      Query[] queries = new Query[tokens];
      int seated = 0;
      for (int table = 0; table < tables.size(); table++) {
        DecodeRows.Group group = tables.get(table);
        int offset = (int) reads[3 * table + 2];
        assertEquals(group.offset(), offset);
        for (int row = 0; row < reads[3 * table]; row++) {
          int position = (int) positions[seated];
          int last = position - offset;
          assertTrue(0 <= last && last < reads[3 * table + 1] && last < group.table().length());
          List<Long> seen = new ArrayList<>();
          for (int p = 0; p < offset; p++) {
            seen.add(prefixCell(group, p));
          }
          for (int p = 0; p <= last; p++) {
            seen.add(rowCell(group.table(), row, p));
          }
          queries[seated] = new Query((int) ids[seated], position, seen, cells[seated]);
          seated++;
        }
      }
      for (int g = 0; g < groups.length; g += 5) {
        int n = (int) groups[g];
        int t = (int) groups[g + 1];
        int width = (int) groups[g + 2];
        int first = (int) groups[g + 3];
        boolean fresh = groups[g + 4] == 1;
        int end = g + 5 < groups.length ? (int) groups[g + 8] : tokens;
        long[] table = next(fresh ? 0 : n * width);
        long[] asked = next(t > 1 ? n * t : 0);
        long[] real = next(t > 1 ? end - first : 0);
        for (int token = first; token < end; token++) {
          int place = t > 1 ? (int) real[token - first] : token - first;
          int row = place / t;
          int position = (int) positions[token];
          List<Long> seen = new ArrayList<>();
          for (int p = 0; p <= position; p++) {
            seen.add(
                fresh
                    ? cells[(int) asked[row * t + p]]
                    : table[row * width + p / blockSize] * blockSize + p % blockSize);
          }
          assertEquals(token, t > 1 ? asked[place] : token);
          assertEquals(cells[token], (long) seen.getLast());
          queries[token] = new Query((int) ids[token], position, seen, cells[token]);
        }
      }
      assertEquals(numbers.length, at);
      return queries;
    }
  }
}
