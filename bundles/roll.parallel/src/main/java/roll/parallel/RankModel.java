package roll.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.parallel.shard.FlatTensors;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.PipelineStage;
import roll.parallel.shard.ProcessGroups;
import roll.parallel.shard.RankShards;
import roll.parallel.shard.ResidualExchange;
import roll.torch.Device;
import roll.torch.MemoryLedger;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.RotaryTable;
import roll.torch.vision.PicturePatches;

/**
 * One rank's part of the model, forward and backward: its pipeline stage, and its tensor-parallel
 * share of each layer. It communicates with the tensor-parallel ranks between the halves of layers,
 * and with neighboring stages at the ends of its stage. Used on the rank's compute thread.
 */
final class RankModel implements AutoCloseable {
  private final Device device;
  private final DecoderSpec spec;
  private final ParallelLayout layout;
  private final ParallelLayout.Coordinates coordinates;
  private final PipelineStage stage;
  private final RankShards shards;
  private final ProcessGroups links;
  private final MemoryLedger ledger;
  private final ResidualExchange exchange;
  private final RankKernels kernels;
  private final RotaryTable rotary;
  private final RankHead head;
  private final @Nullable RankVisionTower tower;

  /**
   * Compiles the rank's part of {@code spec}.
   *
   * @param patches patches of pictures; null if there are no pictures
   */
  RankModel(
      Device device,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout layout,
      ParallelLayout.Coordinates coordinates,
      PipelineStage stage,
      RankShards shards,
      ProcessGroups links,
      @Nullable PicturePatches patches,
      MemoryLedger ledger) {
    this.device = device;
    this.spec = spec;
    this.layout = layout;
    this.coordinates = coordinates;
    this.stage = stage;
    this.shards = shards;
    this.links = links;
    this.ledger = ledger;
    this.exchange = new ResidualExchange(links.tensor(), layout.sequenceParallel());
    this.rotary = new RotaryTable(device, spec);
    this.kernels = new RankKernels(device, spec, precision, coordinates, stage, rotary);
    this.head = new RankHead(spec, kernels, stage, shards, links.tensor());
    this.tower =
        patches == null
            ? null
            : new RankVisionTower(
                device,
                spec,
                precision,
                stage,
                shards,
                patches,
                !layout.towerFrozen(spec),
                coordinates.tensor() == 0);
  }

  /**
   * Runs the rank's micro-batch {@code number} forward like {@link #score}; {@link #backward} must
   * follow.
   */
  MicroBatchPass forward(ShardedBatch work, int number) {
    return forward(work, number, true, true);
  }

  /**
   * Runs the rank's micro-batch {@code number} of {@code work} forward.
   *
   * @param adapted whether to apply adapters, if there are any
   * @return the pass, which the caller closes, with the head's output if the stage has the head
   * @throws roll.api.option.UserException if it has pictures and the model has no vision, or
   *     pictures and placeholders do not match
   */
  MicroBatchPass score(ShardedBatch work, int number, boolean adapted) {
    return forward(work, number, adapted, false);
  }

  private MicroBatchPass forward(ShardedBatch work, int number, boolean adapted, boolean backward) {
    MicroBatch part = work.microBatch(coordinates.data(), number);
    MicroBatchPass pass = new MicroBatchPass(device.newManager(), ledger, part, spec.hidden());
    boolean done = false;
    try {
      rotary.reach(part.longest());
      if (work.shows(number)) {
        RankVisionTower.require(tower, spec)
            .see(pass, work.batch(), part, backward, kernels.all(), rotary);
      }
      NDArray own = begin(pass);
      for (int layer = stage.first(); layer < stage.end(); layer++) {
        NDList weights = shards.weights(stage.layer(layer), stage.behind(layer));
        for (int half = 0; half < 2; half++) {
          own = half(pass, adapted, half, own, weights, layer, backward);
        }
      }
      end(pass, own, backward);
      done = true;
      return pass;
    } finally {
      if (!done) {
        pass.close();
      }
    }
  }

  /** Whether DeepStack adds features of pictures after {@code layer}. */
  private boolean deepens(MicroBatchPass pass, int layer) {
    VisionSpec vision = spec.vision();
    return vision != null && layer < vision.vectors() - 1 && pass.features().size() > 0;
  }

  private NDArray begin(MicroBatchPass pass) {
    NDManager owner = pass.owner();
    if (!stage.embeds()) {
      NDArray own = owner.zeros(exchange.own(pass.shape()));
      links.stages().receive(FlatTensors.memory(own), coordinates.stage() - 1);
      return own;
    }
    NDArray weight = shards.weights(List.of(0), stage.layer(0)).singletonOrThrow();
    NDArray part = kernels.embed(pass, weight);
    return exchange.leave(owner, part);
  }

  /** Runs half {@code number} of a layer. */
  private NDArray half(
      MicroBatchPass pass,
      boolean adapted,
      int number,
      NDArray own,
      NDList weights,
      int layer,
      boolean training) {
    boolean backward = training && layer >= stage.lowest();
    boolean again = layout.recompute().again(number);
    NDManager owner = pass.owner();
    NDArray all = exchange.enter(owner, own, pass.shape());
    NDArray part;
    if (backward && !again) {
      NDList tape = kernels.tape(owner, number, all, pass, weights, layer);
      pass.keep(own, tape.subNDList(1));
      part = tape.head();
    } else {
      part = kernels.half(owner, adapted, number, all, pass, weights);
      if (backward) {
        pass.keep(own, null);
      }
    }
    if (number == 1 && coordinates.tensor() == 0 && deepens(pass, layer)) {
      NDArray plain = part;
      part = kernels.deepen(pass, plain, layer);
      plain.close();
    }
    NDArray next = exchange.leave(owner, part);
    if (all != own) {
      all.close();
    }
    if (!backward) {
      own.close();
    }
    return next;
  }

  private void end(MicroBatchPass pass, NDArray own, boolean backward) {
    if (!stage.hasHead()) {
      links.stages().send(FlatTensors.memory(own), coordinates.stage() + 1);
      return;
    }
    NDManager owner = pass.owner();
    NDArray all = exchange.enter(owner, own, pass.shape());
    pass.end(all, head.forward(pass, all, backward));
  }

  /**
   * Runs {@code pass} backward and closes it.
   *
   * @param byColumns derivatives of the loss with respect to the head's columns, f32 [N] each; null
   *     if the stage has no head
   */
  void backward(MicroBatchPass pass, @Nullable NDList byColumns) {
    try (pass) {
      NDManager owner = pass.owner();
      NDArray by;
      if (byColumns == null && stage.lowest() >= stage.end()) {
        return; // no trained parameters at or below this layer
      }
      if (byColumns == null) {
        by = owner.zeros(exchange.own(pass.shape()));
        links.stages().receive(FlatTensors.memory(by), coordinates.stage() + 1);
      } else {
        by = exchange.leave(owner, head.backward(pass, byColumns));
      }
      int lowest = Math.max(stage.first(), stage.lowest());
      NDList byFeatures = new NDList();
      for (int layer = stage.end() - 1; layer >= lowest; layer--) {
        by = layerBackward(pass, layer, by, 2 * (layer - lowest), byFeatures);
      }
      if (stage.lowest() >= stage.first()) {
        return;
      }
      if (stage.embeds()) {
        List<Integer> embedding = stage.trained(List.of(0));
        NDList grad = shards.gradients(embedding);
        NDArray all = exchange.enter(owner, by, pass.shape());
        byFeatures.addFirst(kernels.embedBackward(pass, all, grad));
        shards.reduce(embedding);
        if (tower != null) {
          tower.backward(pass, NDArrays.concat(byFeatures, 1));
        }
      } else {
        links.stages().send(FlatTensors.memory(by), coordinates.stage() - 1);
      }
    }
  }

  /**
   * Runs a layer backward; its first half is number {@code kept} of the pass.
   *
   * @param byFeatures receives, as its first, the gradient of features that DeepStack added
   */
  private NDArray layerBackward(
      MicroBatchPass pass, int layer, NDArray byLayer, int kept, NDList byFeatures) {
    NDList weights = shards.weights(stage.layer(layer), List.of());
    List<Integer> trained = stage.trained(stage.layer(layer));
    NDList gradients = shards.gradients(trained);
    NDArray by = byLayer;
    for (int number = 1; number >= 0; number--) {
      try (NDManager scope = device.newManager()) {
        MicroBatchPass.Half half = pass.half(kept + number);
        NDList tape = half.tape();
        if (tape == null) {
          NDArray all = exchange.enter(scope, half.input(), pass.shape());
          tape = kernels.tape(scope, number, all, pass, weights, layer).subNDList(1);
        }
        NDArray byAll = exchange.enter(scope, by, pass.shape());
        if (number == 1 && deepens(pass, layer)) {
          byFeatures.addFirst(kernels.placed(pass, byAll));
        }
        NDArray part = kernels.halfBackward(scope, byAll, tape, gradients);
        NDArray next = exchange.leave(scope, part);
        next.attach(pass.owner());
        by.close();
        by = next;
        tape.close();
        half.input().close();
      }
    }
    shards.reduce(trained);
    return by;
  }

  @Override
  public void close() {
    if (tower != null) {
      tower.close();
    }
    kernels.close();
    rotary.close();
  }
}
