package roll.torch.parallel.shard;

import java.util.List;
import java.util.stream.IntStream;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;

/**
 * Which numbers of a model are on some of its ranks, and where. It is the same wherever it is
 * asked.
 */
public final class RankShares {
  private final ParallelLayout layout;
  private final List<PipelineStage> stages;
  private final List<Integer> ranks;

  /** Of {@code ranks} of the layout. */
  public RankShares(DecoderSpec spec, ParallelLayout layout, List<Integer> ranks) {
    this.layout = layout;
    this.stages =
        IntStream.range(0, layout.pipeline())
            .mapToObj(number -> new PipelineStage(spec, layout, number))
            .toList();
    this.ranks = List.copyOf(ranks);
  }

  /** Takes runs of numbers that lie one behind the other both on a rank and in the parameter. */
  @ConsumerType
  public interface Run {
    /**
     * A run.
     *
     * @param rank which of the ranks, from 0
     * @param segment of its state
     * @param share where it begins in the rank's share of the segment
     * @param from where it begins in what was asked for
     * @param length how many numbers
     */
    void at(int rank, int segment, long share, long from, long length);
  }

  /** The stages of the layout. */
  public List<PipelineStage> stages() {
    return stages;
  }

  /**
   * Tells which of {@code count} numbers of a parameter, from number {@code first} on, are there.
   */
  public void forEach(int parameter, long first, long count, Run run) {
    for (int i = 0; i < ranks.size(); i++) {
      ParallelLayout.Place place = layout.place(ranks.get(i));
      PipelineStage stage = stages.get(place.stage());
      PipelineStage.Spot spot = stage.spot(parameter);
      if (spot == null) {
        continue;
      }
      int rank = i;
      long size = stage.segments().get(spot.segment()).size();
      new ShardRanges(spot.parameter(), layout, place, size)
          .forEach(
              first,
              count,
              (share, whole, length) -> run.at(rank, spot.segment(), share, whole - first, length));
    }
  }
}
