package roll.parallel.shard;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;

/** Maps the numbers of a model to the shards of its ranks; the same in every process. */
public final class ShardMap {
  private final ParallelLayout layout;
  private final List<PipelineStage> stages;
  private final long[] starts;

  /** Creates the map of {@code layout}. */
  public ShardMap(DecoderSpec spec, ParallelLayout layout) {
    this.layout = layout;
    this.stages =
        IntStream.range(0, layout.pipeline())
            .mapToObj(number -> new PipelineStage(spec, layout, number))
            .toList();
    this.starts = starts(spec);
  }

  /** Receives runs of numbers that are contiguous both on a rank and in a parameter. */
  @ConsumerType
  public interface Run {
    /**
     * Receives a run.
     *
     * @param segment of the rank's state
     * @param share start in the rank's share of the segment
     * @param from start in the requested range
     * @param length number of numbers
     */
    void at(int segment, long share, long from, long length);
  }

  /** Returns the stages of the layout. */
  public List<PipelineStage> stages() {
    return stages;
  }

  /** Returns the offset of each parameter of {@code spec} among all its numbers, and the total. */
  public static long[] starts(DecoderSpec spec) {
    List<DecoderSpec.Parameter> parameters = DecoderParameters.of(spec);
    long[] starts = new long[parameters.size() + 1];
    for (int p = 0; p < parameters.size(); p++) {
      starts[p + 1] = starts[p] + parameters.get(p).size();
    }
    return starts;
  }

  /**
   * Reports the runs of {@code count} numbers of the model, from number {@code first} on, that
   * {@code rank} has.
   *
   * @param moments whether for moments, which only trained segments have
   */
  public void forEach(int rank, long first, long count, boolean moments, Run run) {
    ParallelLayout.Coordinates coordinates = layout.coordinates(rank);
    PipelineStage stage = stages.get(coordinates.stage());
    int found = Arrays.binarySearch(starts, first);
    for (int p = found < 0 ? -found - 2 : found;
        p < starts.length - 1 && starts[p] < first + count;
        p++) {
      PipelineStage.Location location = stage.location(p);
      if (location != null && (!moments || stage.segments().get(location.segment()).trained())) {
        long start = starts[p];
        long from = Math.max(first, start);
        long size = stage.segments().get(location.segment()).size();
        new ShardRanges(location.parameter(), layout, coordinates, size)
            .forEach(
                from - start,
                Math.min(first + count, starts[p + 1]) - from,
                (share, whole, length) ->
                    run.at(location.segment(), share, start + whole - first, length));
      }
    }
  }

  /** Returns whether a lower rank has the same numbers as {@code rank}. */
  public boolean copy(int rank) {
    return layout.owners() == 1 && layout.coordinates(rank).data() > 0;
  }

  /** Returns how many of these numbers belong to the shard of {@code rank}. */
  public long count(int rank, long first, long count, boolean moments) {
    long[] sum = {0};
    forEach(rank, first, count, moments, (segment, share, from, length) -> sum[0] += length);
    return sum[0];
  }
}
