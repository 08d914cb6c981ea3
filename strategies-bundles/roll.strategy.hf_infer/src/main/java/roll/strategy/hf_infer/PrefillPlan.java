package roll.strategy.hf_infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a batch's prefill: equal prompts run once, cached prefixes are skipped, the rest runs
 * in blocks of similar length. A function of the prompts and the older caches.
 */
final class PrefillPlan {
  private final List<Row> rows;
  private final int[] rowOf;
  private final List<int[]> blocks;

  /**
   * A distinct prompt.
   *
   * @param prompt cache keys of its tokens
   * @param match the cached prefix, or null
   */
  record Row(int[] prompt, PrefixCache.@Nullable Match match) {
    int past() {
      return match == null ? 0 : match.cells();
    }

    int count() {
      return prompt.length - past();
    }
  }

  private PrefillPlan(List<Row> rows, int[] rowOf, List<int[]> blocks) {
    this.rows = rows;
    this.rowOf = rowOf;
    this.blocks = blocks;
  }

  /**
   * Creates a plan.
   *
   * @param block maximum tokens of a block, including padding
   */
  static PrefillPlan of(List<int[]> prompts, PrefixCache prefixes, int block) {
    Map<int[], Integer> distinct = new TreeMap<>(Arrays::compare);
    List<Row> rows = new ArrayList<>();
    for (int[] prompt : prompts) {
      if (distinct.putIfAbsent(prompt, rows.size()) == null) {
        rows.add(new Row(prompt, prefixes.longest(prompt)));
      }
    }
    rows.sort(Comparator.comparing((Row row) -> row.past() > 0).thenComparing(Row::count));
    for (int row = 0; row < rows.size(); row++) {
      distinct.put(rows.get(row).prompt(), row);
    }
    int[] rowOf = prompts.stream().mapToInt(prompt -> distinct.getOrDefault(prompt, 0)).toArray();
    return new PrefillPlan(rows, rowOf, blocks(rows, block));
  }

  /**
   * Returns blocks as (end, 1 if fresh); rows are sorted by length, so a block's last row is its
   * longest.
   */
  private static List<int[]> blocks(List<Row> rows, int tokens) {
    List<int[]> blocks = new ArrayList<>();
    int begin = 0;
    for (int row = 0; row < rows.size(); row++) {
      boolean fresh = rows.get(begin).past() == 0;
      long size = (row + 1L - begin) * rows.get(row).count();
      if (row > begin && (size > tokens || fresh != (rows.get(row).past() == 0))) {
        blocks.add(new int[] {row, fresh ? 1 : 0});
        begin = row;
      }
    }
    blocks.add(new int[] {rows.size(), rows.get(begin).past() == 0 ? 1 : 0});
    return blocks;
  }

  /** Returns the distinct prompts, in the order of the cache's rows. */
  List<Row> rows() {
    return rows;
  }

  /** Returns the row of prompt {@code index}. */
  int rowOf(int index) {
    return rowOf[index];
  }

  /** Returns the end of each block and 1 if its rows have no past, flattened. */
  long[] blocks() {
    return blocks.stream().flatMapToInt(Arrays::stream).asLongStream().toArray();
  }

  /** Returns the maximum number of tokens to run in a row. */
  int longest() {
    return rows.stream().mapToInt(Row::count).max().orElse(0);
  }

  /** Returns the older caches with reused prefixes. */
  List<KvCache> older() {
    return rows.stream()
        .map(Row::match)
        .filter(Objects::nonNull)
        .map(PrefixCache.Match::cache)
        .distinct()
        .toList();
  }

  /**
   * Returns the copies from {@link #older} as cache, its row, the new row, number of slots;
   * flattened.
   */
  long[] copies() {
    List<KvCache> older = older();
    LongStream.Builder copies = LongStream.builder();
    for (int row = 0; row < rows.size(); row++) {
      PrefixCache.Match match = rows.get(row).match();
      if (match != null) {
        copies.add(older.indexOf(match.cache())).add(match.row()).add(row).add(match.cells());
      }
    }
    return copies.build().toArray();
  }

  /**
   * Returns the tokens to run, right-padded with 0, and 0 for image placeholders, [rows × longest].
   */
  long[] tokens() {
    int longest = longest();
    long[] tokens = new long[rows.size() * longest];
    for (int row = 0; row < rows.size(); row++) {
      Row prompt = rows.get(row);
      for (int i = 0; i < prompt.count(); i++) {
        tokens[row * longest + i] = Math.max(0, prompt.prompt()[prompt.past() + i]);
      }
    }
    return tokens;
  }

  /** Returns the number of reused slots of each row. */
  long[] past() {
    return rows.stream().mapToLong(Row::past).toArray();
  }

  /** Returns the number of tokens to run of each row. */
  long[] counts() {
    return rows.stream().mapToLong(Row::count).toArray();
  }

  /** Returns the number of slots of each row after prefill. */
  long[] reached() {
    return rows.stream().mapToLong(row -> (long) row.past() + row.count()).toArray();
  }
}
