package roll.torch.parallel;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.huggingface.StoredTensor;
import roll.torch.model.WeightSource;
import roll.torch.parallel.shard.FloatStore;
import roll.torch.parallel.shard.ParallelLayout;
import roll.torch.parallel.shard.PipelineStage;
import roll.torch.parallel.shard.SegmentState;
import roll.torch.parallel.shard.ShardRanges;
import roll.torch.training.TrainState;

/**
 * The state of a model that is spread over ranks, as if it lay in one piece: it finds for every
 * number the ranks that have it. Read and written while the ranks have nothing to do.
 */
final class ShardedState implements TrainState, WeightSource {
  private final DecoderSpec spec;
  private final ParallelLayout layout;
  private final Ranks ranks;
  private volatile long steps;

  ShardedState(DecoderSpec spec, ParallelLayout layout, Ranks ranks) {
    this.spec = spec;
    this.layout = layout;
    this.ranks = ranks;
  }

  @Override
  public DecoderSpec spec() {
    return spec;
  }

  @Override
  public List<DecoderSpec.Parameter> trained() {
    return DecoderParameters.of(spec);
  }

  @Override
  public List<StoredTensor> model() {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return IntStream.range(0, all.size())
        .mapToObj(
            i ->
                StoredTensor.read(
                    all.get(i).name(),
                    all.get(i).shape().stream().map(Integer::longValue).toList(),
                    (first, target) -> read(Kind.WEIGHT, i, first, target)))
        .toList();
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    read(Kind.WEIGHT, index, first, target);
  }

  @Override
  public void read(Kind kind, int parameter, long first, MemorySegment target) {
    copy(
        kind,
        parameter,
        first,
        target.byteSize() / Float.BYTES,
        (share, at, from, bytes) -> share.read(at, target.asSlice(from, bytes)));
  }

  @Override
  public void write(Kind kind, int parameter, long first, MemorySegment source) {
    copy(
        kind,
        parameter,
        first,
        source.byteSize() / Float.BYTES,
        (share, at, from, bytes) -> share.write(at, source.asSlice(from, bytes)));
  }

  /** Copies between a rank's share, from float {@code at} on, and the memory outside. */
  private interface Copying {
    void copy(FloatStore share, long at, long outside, long bytes);
  }

  private void copy(Kind kind, int index, long first, long count, Copying copying) {
    for (Rank rank : ranks.ranks()) {
      PipelineStage.Spot spot = rank.stage().spot(index);
      if (spot == null) {
        continue;
      }
      SegmentState state = rank.shards().states().get(spot.segment());
      ShardRanges runs =
          new ShardRanges(spot.parameter(), layout, rank.place(), state.segment().size());
      runs.forEach(
          first,
          count,
          (at, outside, length) ->
              copying.copy(
                  share(state, kind), at, (outside - first) * Float.BYTES, length * Float.BYTES));
    }
  }

  private static FloatStore share(SegmentState state, Kind kind) {
    return switch (kind) {
      case WEIGHT -> state.share();
      case FIRST -> state.first();
      case SECOND -> state.second();
    };
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public long version() {
    return steps;
  }

  /** Says that {@code made} optimizer steps were made. */
  void steps(long made) {
    steps = made;
  }

  @Override
  public void resume(long made) {
    steps = made;
    ranks.all(
        rank -> {
          rank.shards().publish();
          return true;
        },
        failure -> {});
  }
}
