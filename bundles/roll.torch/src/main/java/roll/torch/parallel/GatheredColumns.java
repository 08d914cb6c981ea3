package roll.torch.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.torch.collective.Communicator;

/**
 * What the heads of all data-parallel ranks say of their micro-batches of one number: a few numbers
 * per token, so that every process can ask its loss for all of them.
 *
 * @param samples by rank; null where a rank has none
 * @param columns by rank
 */
record GatheredColumns(List<int @Nullable []> samples, List<double[][]> columns) {
  /** Of micro-batch {@code number}; all {@code ranks} call this with their {@code own}. */
  static GatheredColumns of(ShardedBatch work, int number, double[][] own, Communicator ranks) {
    List<int @Nullable []> samples = new ArrayList<>();
    int[] sizes = new int[ranks.size()];
    int most = 1;
    for (int rank = 0; rank < sizes.length; rank++) {
      int[] part = work.samples(rank, number);
      samples.add(part);
      sizes[rank] = part == null ? 0 : tokens(work.batch(), part);
      most = Math.max(most, sizes[rank]);
    }
    try (Arena arena = Arena.ofShared()) {
      long stride = (long) most * own.length;
      MemorySegment mine = arena.allocate(ValueLayout.JAVA_DOUBLE, stride);
      MemorySegment all = arena.allocate(ValueLayout.JAVA_DOUBLE, stride * sizes.length);
      for (int c = 0; c < own.length && samples.get(ranks.rank()) != null; c++) {
        MemorySegment.copy(
            own[c], 0, mine, ValueLayout.JAVA_DOUBLE, at(c, most), sizes[ranks.rank()]);
      }
      ranks.allGather(mine, all);
      List<double[][]> columns = new ArrayList<>();
      for (int rank = 0; rank < sizes.length; rank++) {
        double[][] said = new double[own.length][sizes[rank]];
        for (int c = 0; c < own.length; c++) {
          MemorySegment.copy(
              all,
              ValueLayout.JAVA_DOUBLE,
              at(rank * (long) own.length + c, most),
              said[c],
              0,
              sizes[rank]);
        }
        columns.add(said);
      }
      return new GatheredColumns(samples, columns);
    }
  }

  private static long at(long column, int most) {
    return column * most * Double.BYTES;
  }

  private static int tokens(TokenBatch batch, int[] samples) {
    int tokens = 0;
    for (int sample : samples) {
      tokens += batch.offsets()[sample + 1] - batch.offsets()[sample];
    }
    return tokens;
  }
}
