package roll.parallel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.decoder.ActivationEstimate;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.PipelineStage;
import roll.parallel.shard.Segment;

/**
 * The estimated memory of each rank. With P, G and O the bytes of a stage's parameters, gradients
 * and moments and N data-parallel ranks, ZeRO stage 3 takes (P + G + O) / N, plus the persistent
 * small parameters, plus two buffers of the largest segment.
 *
 * @param spec the model
 * @param layout of the ranks
 * @param trains whether there are gradients and moments
 * @param dtype of the model's computation
 */
record MemoryEstimate(DecoderSpec spec, ParallelLayout layout, boolean trains, Dtype dtype) {
  /**
   * Returns the peak memory of each device.
   *
   * @param numbers of the devices, by rank; empty for the CPU
   * @param tokens of a micro-batch, including padding
   */
  List<SessionMemory> most(List<Integer> numbers, SessionActivity activity, long tokens) {
    List<SessionMemory> most = new ArrayList<>();
    Map<Integer, Map<MemoryKind, Long>> byStage =
        new HashMap<>(); // computed once for each stage, which may have many ranks
    for (int rank = 0; rank < layout.ranks(); rank++) {
      int number = layout.coordinates(rank).stage();
      int device = numbers.isEmpty() ? -1 : numbers.get(rank);
      Map<MemoryKind, Long> bytes =
          byStage.computeIfAbsent(
              number, stage -> Collections.unmodifiableMap(bytes(stage, activity, tokens)));
      most.add(new SessionMemory(device, bytes));
    }
    return most;
  }

  private Map<MemoryKind, Long> bytes(int number, SessionActivity activity, long tokens) {
    PipelineStage stage = new PipelineStage(spec, layout, number);
    Map<MemoryKind, Long> floats = new EnumMap<>(MemoryKind.class);
    long buffer = 0;
    boolean cut = false;
    for (Segment segment : stage.segments()) {
      long size = segment.size();
      long share = size / layout.owners();
      boolean scatters = layout.scatters(segment);
      boolean away = !segment.resident() && layout.offload().parameters();
      floats.merge(
          away ? MemoryKind.OFFLOADED : MemoryKind.PARAMETERS,
          segment.resident() ? size : share,
          Long::sum);
      if (activity == SessionActivity.TRAIN) {
        long gradients = !segment.trained() ? 0 : scatters ? share : size;
        floats.merge(MemoryKind.GRADIENTS, gradients, Long::sum);
      }
      if (trains && segment.trained()) {
        boolean moments = layout.offload().optimizer();
        floats.merge(moments ? MemoryKind.OFFLOADED : MemoryKind.OPTIMIZER, 2 * share, Long::sum);
      }
      if (!segment.resident() || (scatters && activity == SessionActivity.TRAIN)) {
        buffer = Math.max(buffer, size);
      }
      cut |= !segment.resident();
    }
    if (activity == SessionActivity.TRAIN || activity == SessionActivity.SCORE) {
      int buffers = cut && (layout.prefetch() || activity == SessionActivity.TRAIN) ? 2 : 1;
      floats.merge(MemoryKind.GATHERED, buffers * buffer, Long::sum);
    }
    Map<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
    floats.forEach((kind, count) -> bytes.put(kind, count * Float.BYTES));
    bytes.put(MemoryKind.ACTIVATIONS, activations(stage, number, activity, tokens));
    return bytes;
  }

  /**
   * Returns the estimated activations ({@link ActivationEstimate}) of all micro-batches in
   * progress, and of one layer and the head during computation.
   */
  private long activations(PipelineStage stage, int number, SessionActivity activity, long tokens) {
    ActivationEstimate need = new ActivationEstimate(stage.share(), dtype);
    long head = stage.hasHead() ? need.head(tokens, activity == SessionActivity.TRAIN) : 0;
    return switch (activity) {
      case REST, GENERATE -> 0;
      case SCORE ->
          Math.max(need.layer(tokens), need.stream(tokens) + head)
              + (stage.embeds() ? need.tower(tokens, true, false) : 0);
      case TRAIN -> {
        long layers = (long) stage.end() - stage.first();
        int underWay = layout.pipeline() - number;
        long again = need.layer(tokens) + 2 * need.stream(tokens) + head;
        boolean whole = !layout.towerFrozen(spec);
        long seen = stage.embeds() ? need.tower(tokens, true, whole) : 0;
        yield underWay * layers * kept(need, tokens) + again + seen;
      }
    };
  }

  /**
   * Returns the bytes kept for one layer between forward and backward; attention is about half of a
   * layer's activations.
   */
  private long kept(ActivationEstimate need, long tokens) {
    long own = layout.sequenceParallel() ? tokens / layout.tensor() : tokens;
    long inputs = 2 * need.stream(own);
    return switch (layout.recompute()) {
      case FULL -> inputs;
      case SELECTIVE -> inputs + need.layer(tokens) / 2;
      case NONE -> inputs + need.layer(tokens);
    };
  }
}
