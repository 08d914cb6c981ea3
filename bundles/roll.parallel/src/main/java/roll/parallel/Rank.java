package roll.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.parallel.shard.FlatTensors;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.PipelineStage;
import roll.parallel.shard.ProcessGroups;
import roll.parallel.shard.RankShards;
import roll.parallel.shard.SegmentState;
import roll.parallel.world.MicroBatchLoss;
import roll.parallel.world.ScoredTokens;
import roll.torch.Device;
import roll.torch.MemoryLedger;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.Head;
import roll.torch.training.AdamW;
import roll.torch.training.AdamWKernel;
import roll.torch.vision.PicturePatches;

/**
 * One rank: its part of the model and of the optimizer. All ranks execute the same operations in
 * lockstep. Used on the rank's compute thread.
 */
final class Rank {
  private final Device device;
  private final ParallelLayout layout;
  private final ParallelLayout.Coordinates coordinates;
  private final PipelineStage stage;
  private final ProcessGroups links;
  private final MemoryLedger ledger = new MemoryLedger();
  private final RankShards shards;
  private final RankModel model;
  private final AdamWKernel optimizer;

  /** Creates a rank with zero weights. Only on the compute thread of {@code device}. */
  Rank(
      Device device,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout layout,
      boolean trains,
      ParallelLayout.Coordinates coordinates,
      PipelineStage stage,
      ProcessGroups links,
      @Nullable PicturePatches patches) {
    this.device = device;
    this.layout = layout;
    this.coordinates = coordinates;
    this.stage = stage;
    this.links = links;
    this.shards =
        new RankShards(device, stage, layout, trains, links.data(), links.gathering(), ledger);
    this.model =
        new RankModel(
            device, spec, precision, layout, coordinates, stage, shards, links, patches, ledger);
    this.optimizer = new AdamWKernel(device);
  }

  /** Returns the rank's device. */
  Device device() {
    return device;
  }

  /** Returns the rank's number among all ranks. */
  int number() {
    return links.all().rank();
  }

  ParallelLayout.Coordinates coordinates() {
    return coordinates;
  }

  PipelineStage stage() {
    return stage;
  }

  RankShards shards() {
    return shards;
  }

  ProcessGroups links() {
    return links;
  }

  /** A forward pass that awaits its backward pass. */
  private record Waiting(int number, MicroBatchPass pass) {}

  /**
   * Accumulates the gradients of all micro-batches, alternating forward and backward passes (1F1B:
   * Narayanan et al. 2021, section 2.2); the warm-up of a stage has one forward pass for each later
   * stage.
   */
  void accumulate(ShardedBatch work, MicroBatchLoss loss) {
    int ahead = Math.min(layout.pipeline() - 1 - coordinates.stage(), work.count());
    Deque<Waiting> waiting = new ArrayDeque<>();
    shards.openGradients();
    try {
      for (int number = 0; number < work.count(); number++) {
        waiting.add(new Waiting(number, model.forward(work, number)));
        if (number >= ahead) {
          backward(work, loss, waiting.remove());
        }
      }
      while (!waiting.isEmpty()) {
        backward(work, loss, waiting.remove());
      }
    } finally {
      waiting.forEach(left -> left.pass().close());
    }
  }

  private void backward(ShardedBatch work, MicroBatchLoss loss, Waiting next) {
    model.backward(next.pass(), stage.hasHead() ? derivatives(work, loss, next) : null);
  }

  /**
   * Returns the derivatives of the loss, which one of the tensor-parallel ranks evaluates and
   * broadcasts.
   */
  private NDList derivatives(ShardedBatch work, MicroBatchLoss loss, Waiting next) {
    Head.Output output = Objects.requireNonNull(next.pass().output());
    NDList by = new NDList();
    double[][] found =
        coordinates.tensor() == 0 ? evaluate(work, loss, next.number(), output.columns()) : null;
    int[] cells = cells(work, next.number());
    for (int c = 0; c < output.columns().size(); c++) {
      NDArray column =
          found == null
              ? output.columns().get(c).zerosLike()
              : next.pass().owner().create(MicroBatch.gather(found[c], cells));
      column.attach(next.pass().owner());
      links.tensor().broadcast(FlatTensors.memory(column), 0);
      by.add(column);
    }
    return by;
  }

  private int[] cells(ShardedBatch work, int number) {
    return work.microBatch(coordinates.data(), number).cellsWithin(work.batch());
  }

  private double @Nullable [][] evaluate(
      ShardedBatch work, MicroBatchLoss loss, int number, NDList columns) {
    int[] samples = work.samples(coordinates.data(), number);
    double[][] local = new double[samples == null ? 0 : columns.size()][];
    if (samples != null) {
      MicroBatch part = work.microBatch(coordinates.data(), number);
      int[] cells = part.cellsWithin(work.batch());
      for (int c = 0; c < local.length; c++) {
        local[c] = MicroBatch.scatter(columns.get(c), cells, part.size(work.batch()));
      }
    }
    return loss.evaluate(number, coordinates.data(), local);
  }

  /**
   * Returns the head's output for all micro-batches, in {@code count} columns, on ranks with a
   * head.
   *
   * @param adapted whether to apply adapters, if there are any
   */
  ScoredTokens score(ShardedBatch work, int count, boolean adapted) {
    List<ScoredTokens> scored = new ArrayList<>();
    for (int number = 0; number < work.count(); number++) {
      MicroBatch part = work.microBatch(coordinates.data(), number);
      try (MicroBatchPass pass = model.score(work, number, adapted)) {
        Head.Output output = pass.output();
        if (output != null && coordinates.tensor() == 0 && part.cells().length > 0) {
          float[][] columns = new float[count][];
          for (int c = 0; c < count; c++) {
            columns[c] = output.columns().get(c).toFloatArray();
          }
          scored.add(new ScoredTokens(part.cells(), columns));
        }
      }
    }
    return ScoredTokens.of(scored, count);
  }

  /** Reduces the gradients of all ranks; returns the global gradient norm. */
  double reduce() {
    shards.reduceAll(links.tensor(), links.tied());
    double squares = 0;
    if (layout.zero() > 0 || coordinates.data() == 0) {
      try (NDManager scope = shards.scope()) {
        for (SegmentState state : shards.trained()) {
          squares +=
              optimizer.squares(scope, state.countedGradients(scope, coordinates.tensor() == 0));
        }
      }
    }
    return Math.sqrt(sum(squares));
  }

  /** Returns the sum over all ranks, in their order. */
  private double sum(double own) {
    try (NDManager scope = shards.scope()) {
      NDArray mine = scope.create(own);
      NDArray all = scope.zeros(new Shape(layout.ranks()), DataType.FLOAT64);
      links.all().allGather(FlatTensors.memory(mine), FlatTensors.memory(all));
      return Arrays.stream(all.toDoubleArray()).reduce(0, Double::sum);
    }
  }

  /**
   * Makes an optimizer step with the gradients of {@link #reduce}, and publishes the weights to all
   * ranks.
   */
  void step(long number, double rate, double norm, AdamW.Settings settings) {
    for (SegmentState state : shards.trained()) {
      try (NDManager scope = shards.scope()) {
        state.step(scope, optimizer, number, rate, norm, settings);
      }
    }
    shards.publishTrained();
  }

  /** Frees memory that is only needed during work. */
  void rest() {
    shards.rest();
  }

  /** Returns the peak memory since the previous call. */
  SessionMemory held(int number) {
    return device.observed(List.of(ledger.peak(number))).getFirst();
  }

  void close() {
    optimizer.close();
    model.close();
    shards.close();
  }
}
