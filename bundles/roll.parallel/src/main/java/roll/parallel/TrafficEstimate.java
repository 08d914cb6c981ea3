package roll.parallel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.rank.CollectiveVolume;
import roll.api.rank.CollectiveVolume.Collective;
import roll.api.strategy.SessionConfig;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.ParallelLayout.Recompute;
import roll.parallel.shard.PipelineStage;
import roll.parallel.shard.Segment;

/**
 * The estimated traffic of ranks: everything that grows with parameters or tokens. Norms,
 * derivatives of losses and the head's reductions are omitted; they are a few numbers for each
 * token.
 *
 * <p>ZeRO stage 3 all-gathers the parameters for each micro-batch in the forward and in the
 * backward pass, and reduce-scatters their gradients (Rajbhandari et al. 2020, section 7.2.2).
 * Tensor parallelism all-reduces the residual stream twice a layer in each direction (Shoeybi et
 * al. 2019, section 3), and again for recomputed halves; sequence parallelism replaces each
 * all-reduce by an all-gather and a reduce-scatter (Korthikanti et al. 2022, section 4.2.2).
 * Numbers are sent in f32. A vision tower counts as if every micro-batch had a picture.
 *
 * @param config samples of a micro-batch, and tokens of a sample
 * @param spec the model
 * @param layout of the ranks
 */
record TrafficEstimate(SessionConfig config, DecoderSpec spec, ParallelLayout layout) {
  /** Returns the traffic of a rank of the stage that sends most. */
  List<CollectiveVolume> most(SessionActivity activity, long samples) {
    if (activity != SessionActivity.TRAIN && activity != SessionActivity.SCORE) {
      return List.of();
    }
    return IntStream.range(0, layout.pipeline())
        .mapToObj(number -> of(number, activity == SessionActivity.TRAIN, samples))
        .max(
            Comparator.comparingDouble(
                all -> all.stream().mapToDouble(CollectiveVolume::sent).sum()))
        .orElseThrow();
  }

  private List<CollectiveVolume> of(int number, boolean trains, long samples) {
    WorkerConfig worker = config.worker();
    PipelineStage stage = new PipelineStage(spec, layout, number);
    long share = Math.ceilDiv(samples, layout.data());
    long most = Math.min(share, trains ? worker.training().microBatch() : worker.inferBatchSize());
    long microBatches = Math.ceilDiv(share, Math.max(1, most));
    long stream = Float.BYTES * most * config.sequenceLength() * spec.hidden();
    List<CollectiveVolume> all = new ArrayList<>();
    for (Segment segment : stage.segments()) {
      parameters(all, stage, segment, trains, microBatches);
    }
    residual(all, stage, trains, stream, microBatches);
    if (layout.pipeline() > 1) {
      long own = layout.sequenceParallel() ? stream / layout.tensor() : stream;
      int neighbor = layout.tensor() * layout.data();
      boolean there = !stage.hasHead();
      boolean back = trains && !stage.embeds();
      long times = microBatches * ((there ? 1 : 0) + (back ? 1 : 0));
      all.add(new CollectiveVolume(Collective.SEND, layout.pipeline(), neighbor, own, times));
    }
    return all.stream().filter(exchange -> exchange.sent() > 0).toList();
  }

  /** Adds the weights and gradients of a segment, among the data-parallel ranks. */
  private void parameters(
      List<CollectiveVolume> all,
      PipelineStage stage,
      Segment segment,
      boolean trains,
      long microBatches) {
    long bytes = Float.BYTES * segment.size();
    boolean embedding = segment.name().equals("embedding");
    boolean head = segment.name().equals("head");
    boolean twice = embedding && stage.embeds() && stage.hasHead() && spec.has(Trait.TIED_HEAD);
    if (!segment.resident()) {
      // the head's are still gathered when the backward pass begins; the embedding needs none
      long there = twice ? 2 : 1;
      long back = trains && !embedding && !head && wayBack(stage, segment) ? 1 : 0;
      data(all, Collective.ALL_GATHER, bytes, microBatches * (there + back));
    }
    if (!trains || !segment.trained()) {
      return;
    }
    if (layout.scatters(segment)) {
      // below stage 3 the last norm is in the head's segment, which it follows
      boolean again = twice || (head && layout.zero() < 3);
      data(all, Collective.REDUCE_SCATTER, bytes, microBatches * (again ? 2 : 1));
    } else {
      boolean shares = layout.owners() > 1;
      data(all, shares ? Collective.REDUCE_SCATTER : Collective.ALL_REDUCE, bytes, 1);
    }
    if (segment.resident() && layout.owners() > 1) {
      data(all, Collective.ALL_GATHER, bytes, 1);
    }
  }

  /** Returns whether the backward pass reaches {@code segment} of a layer or tower. */
  private static boolean wayBack(PipelineStage stage, Segment segment) {
    String layer = "layer ";
    return segment.trained()
        || (segment.name().startsWith(layer)
            && Integer.parseInt(segment.name().substring(layer.length())) >= stage.lowest());
  }

  private void data(List<CollectiveVolume> all, Collective collective, long bytes, long times) {
    all.add(new CollectiveVolume(collective, layout.data(), layout.tensor(), bytes, times));
  }

  /** Adds the residual stream between halves of layers, among the tensor-parallel ranks. */
  private void residual(
      List<CollectiveVolume> all,
      PipelineStage stage,
      boolean trains,
      long stream,
      long microBatches) {
    long layers = (long) stage.end() - stage.first();
    long ends = stage.embeds() ? 1 : 0;
    long heads = stage.hasHead() ? 1 : 0;
    long left = 2 * layers + ends + (trains ? 2 * layers + heads : 0);
    if (!layout.sequenceParallel()) {
      tensor(all, Collective.ALL_REDUCE, stream, microBatches * left);
      return;
    }
    long again =
        layout.recompute() == Recompute.FULL ? 2 : layout.recompute() == Recompute.NONE ? 0 : 1;
    long entered = 2 * layers + heads + (trains ? (2 + again) * layers + ends : 0);
    tensor(all, Collective.REDUCE_SCATTER, stream, microBatches * left);
    tensor(all, Collective.ALL_GATHER, stream, microBatches * entered);
  }

  private void tensor(List<CollectiveVolume> all, Collective collective, long bytes, long times) {
    all.add(new CollectiveVolume(collective, layout.tensor(), 1, bytes, times));
  }
}
