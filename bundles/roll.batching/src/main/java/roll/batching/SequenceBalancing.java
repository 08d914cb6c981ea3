package roll.batching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Balances work by the largest differencing method (Karmarkar and Karp 1982; Michiels et al. 2003
 * for more than two shares with equal numbers of items), as verl balances sequences. The result
 * depends on the sizes alone.
 */
public final class SequenceBalancing {
  private SequenceBalancing() {}

  /** Shares of the work with their sums, sorted in descending order of size. */
  private record Shares(List<List<Integer>> pieces, long[] sums, int number) {
    long spread() {
      return sums[0] - sums[sums.length - 1];
    }

    /** Merges the largest share of one with the smallest of the other, and so on. */
    Shares join(Shares other) {
      int count = sums.length;
      List<List<Integer>> joined = new ArrayList<>();
      long[] totals = new long[count];
      for (int i = 0; i < count; i++) {
        List<Integer> all = new ArrayList<>(pieces.get(i));
        all.addAll(other.pieces.get(count - 1 - i));
        joined.add(all);
        totals[i] = sums[i] + other.sums[count - 1 - i];
      }
      List<Integer> order =
          IntStream.range(0, count).boxed().sorted(Comparator.comparing(i -> -totals[i])).toList();
      return new Shares(
          order.stream().map(joined::get).toList(),
          order.stream().mapToLong(i -> totals[i]).toArray(),
          Math.min(number, other.number));
    }
  }

  /**
   * Divides the work {@code sizes} into balanced shares.
   *
   * @param shares number of shares
   * @return for each share its items, ascending; the numbers of items differ by at most one
   */
  public static List<int[]> of(long[] sizes, int shares) {
    Integer[] order = IntStream.range(0, sizes.length).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparing((Integer i) -> -sizes[i]));
    PriorityQueue<Shares> queue =
        new PriorityQueue<>(
            Comparator.comparingLong((Shares s) -> -s.spread()).thenComparingInt(Shares::number));
    for (int first = 0; first < sizes.length; first += shares) {
      List<List<Integer>> pieces = new ArrayList<>();
      long[] sums = new long[shares];
      for (int i = 0; i < shares; i++) {
        boolean there = first + i < sizes.length;
        pieces.add(there ? List.of(order[first + i]) : List.of());
        sums[i] = there ? sizes[order[first + i]] : 0;
      }
      queue.add(new Shares(pieces, sums, first));
    }
    while (queue.size() > 1) {
      Shares greatest = queue.remove();
      queue.add(greatest.join(queue.remove()));
    }
    List<List<Integer>> result =
        queue.isEmpty()
            ? IntStream.range(0, shares).mapToObj(i -> List.<Integer>of()).toList()
            : queue.remove().pieces();
    return result.stream()
        .map(share -> share.stream().mapToInt(Integer::intValue).sorted().toArray())
        .toList();
  }
}
