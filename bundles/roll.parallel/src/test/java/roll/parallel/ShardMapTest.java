package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.ShardMap;

/** Tests the mapping of numbers to ranks. */
class ShardMapTest {
  /**
   * Every number that is asked for is on a rank, those that are cut on one alone; a rank says as
   * many as it counts.
   */
  @ParameterizedTest
  @CsvSource({"4, 1, 1, 3", "2, 1, 2, 3", "1, 2, 2, 1", "3, 1, 1, 1"})
  void everyNumberIsOnARank(int data, int pipeline, int tensor, int zero) {
    DecoderSpec spec = ShardedFixtures.spec(4, EnumSet.of(Trait.OUTPUT_BIAS));
    ParallelLayout layout =
        new ParallelLayout(
            data,
            pipeline,
            tensor,
            zero,
            false,
            ParallelLayout.Recompute.FULL,
            40,
            true,
            Offload.NOTHING);
    ShardMap shares = new ShardMap(spec, layout);
    List<DecoderSpec.Parameter> parameters = DecoderParameters.of(spec);
    long[] starts = ShardMap.starts(spec);
    long first = 100;
    int[] times = new int[Math.toIntExact(starts[parameters.size()] - first - 7)];
    for (int rank = 0; rank < layout.ranks(); rank++) {
      long[] told = {0};
      shares.forEach(
          rank,
          first,
          times.length,
          false,
          (segment, share, from, length) -> {
            told[0] += length;
            for (long i = from; i < from + length; i++) {
              times[Math.toIntExact(i)]++;
            }
          });
      assertEquals(told[0], shares.count(rank, first, times.length, false));
    }
    for (int p = 0; p < parameters.size(); p++) {
      int most = tensor > 1 && parameters.get(p).shape().size() == 1 ? tensor : 1;
      for (long n = Math.max(first, starts[p]); n < starts[p + 1] - 7; n++) {
        int time = times[Math.toIntExact(n - first)];
        assertTrue(time >= 1 && time <= most, parameters.get(p).name() + ": " + time);
      }
    }
  }
}
