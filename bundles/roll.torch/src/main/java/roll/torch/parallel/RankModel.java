package roll.torch.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Ledger;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.Head;
import roll.torch.model.RotaryTable;
import roll.torch.parallel.shard.Flat;
import roll.torch.parallel.shard.ParallelLayout;
import roll.torch.parallel.shard.PipelineStage;
import roll.torch.parallel.shard.ProcessGroups;
import roll.torch.parallel.shard.ResidualExchange;
import roll.torch.parallel.shard.Shards;
import roll.torch.parallel.shard.VocabularyHead;
import roll.torch.vision.PicturePatches;

/**
 * One rank's part of the model, forward and backward: its stage of the layers, its share of each.
 * Between the halves of the layers it meets the tensor-parallel ranks, at the ends of the stage its
 * neighbors. Used on the rank's compute thread.
 */
final class RankModel implements AutoCloseable {
  private final Device device;
  private final DecoderSpec spec;
  private final ParallelLayout layout;
  private final ParallelLayout.Place place;
  private final PipelineStage stage;
  private final Shards shards;
  private final ProcessGroups links;
  private final Ledger ledger;
  private final ResidualExchange exchange;
  private final Kernels kernels;
  private final RotaryTable rotary;
  private final Head head;
  private final @Nullable RankTower tower;
  private final List<Integer> headParameters;
  private final NDManager owner;
  private final List<NDArray> halfNumbers;

  /**
   * Compiles the rank's part of {@code spec}.
   *
   * @param patches makes patches of pictures; null where there will be no pictures
   */
  RankModel(
      Device device,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout layout,
      ParallelLayout.Place place,
      PipelineStage stage,
      Shards shards,
      ProcessGroups links,
      @Nullable PicturePatches patches,
      Ledger ledger) {
    this.device = device;
    this.spec = spec;
    this.layout = layout;
    this.place = place;
    this.stage = stage;
    this.shards = shards;
    this.links = links;
    this.ledger = ledger;
    this.exchange = new ResidualExchange(links.tensor(), layout.sequenceParallel());
    this.kernels = RankKernels.compile(device, spec, precision, place, stage);
    this.rotary = new RotaryTable(device, spec);
    this.headParameters = Head.parameters(spec);
    this.head =
        layout.tensor() > 1 && !spec.has(Trait.VALUE_HEAD)
            ? new VocabularyHead(kernels, stage.share().vocabulary(), links.tensor())
            : Head.of(spec, kernels);
    this.tower =
        patches == null
            ? null
            : new RankTower(device, spec, precision, layout, stage, shards, patches);
    this.owner = device.newManager();
    this.halfNumbers = List.of(Device.host(owner).create(0), Device.host(owner).create(1));
  }

  /**
   * Runs the rank's micro-batch {@code number} of {@code work} forward.
   *
   * @param backward whether {@link #backward} will follow
   * @return the pass, which the caller closes; where the stage has the head it knows what that said
   * @throws roll.api.option.UserException if it shows pictures and the model cannot see, or they do
   *     not fit into its places
   */
  MicroBatchPass forward(ShardedBatch work, int number, boolean backward) {
    MicroBatch part = work.microBatch(place.data(), number);
    MicroBatchPass pass = new MicroBatchPass(device.newManager(), ledger, part, spec.hidden());
    boolean done = false;
    try {
      rotary.reach(part.longest());
      if (work.shows(number)) {
        RankTower.require(tower, spec).see(pass, work.batch(), part, backward, kernels, rotary);
      }
      NDArray own = begin(pass);
      for (int layer = stage.first(); layer < stage.end(); layer++) {
        NDList weights = shards.weights(stage.layer(layer), stage.behind(layer));
        for (int half = 0; half < 2; half++) {
          own = half(pass, half, own, weights, backward);
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

  private NDArray begin(MicroBatchPass pass) {
    NDManager owner = pass.owner();
    if (!stage.embeds()) {
      NDArray own = owner.zeros(exchange.own(pass.shape()));
      links.stages().receive(Flat.memory(own), place.stage() - 1);
      return own;
    }
    NDArray weight = shards.weights(List.of(0), stage.layer(0)).singletonOrThrow();
    NDArray part =
        kernels
            .record(owner, "embed", pass.tokens(), pass.places(), pass.features(), weight)
            .singletonOrThrow();
    return exchange.leave(owner, part);
  }

  /** Half {@code number} of a layer. */
  private NDArray half(
      MicroBatchPass pass, int number, NDArray own, NDList weights, boolean backward) {
    boolean again = layout.recompute().again(number);
    NDManager owner = pass.owner();
    NDArray all = exchange.enter(owner, own, pass.shape());
    NDArray part;
    if (backward && !again) {
      NDList tape = record(owner, "half_tape", number, all, pass, weights);
      pass.keep(own, tape.subNDList(1));
      part = tape.head();
    } else {
      part = record(owner, "half_forward", number, all, pass, weights).singletonOrThrow();
      if (backward) {
        pass.keep(own, null);
      }
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

  private NDList record(
      NDManager owner, String kernel, int half, NDArray all, MicroBatchPass pass, NDList weights) {
    return kernels.record(
        owner,
        kernel,
        halfNumbers.get(half),
        all,
        pass.bounds(),
        weights,
        pass.cos(rotary),
        pass.sin(rotary));
  }

  private void end(MicroBatchPass pass, NDArray own, boolean backward) {
    if (!stage.hasHead()) {
      links.stages().send(Flat.memory(own), place.stage() + 1);
      return;
    }
    NDManager owner = pass.owner();
    NDArray all = exchange.enter(owner, own, pass.shape());
    NDArray norm = shards.weights(List.of(stage.norm()), headParameters).singletonOrThrow();
    NDArray rows = kernels.record(owner, "last_norm", all, pass.rows(), norm).singletonOrThrow();
    NDList weights = shards.weights(headParameters, List.of());
    pass.end(all, head.forward(owner, weights, rows, pass.targets(), backward));
  }

  /**
   * Runs {@code pass} backward and closes it.
   *
   * @param byColumns derivatives of the loss by what the head said, f32 [N] each; null where the
   *     stage has no head
   */
  void backward(MicroBatchPass pass, @Nullable NDList byColumns) {
    try (pass) {
      NDManager owner = pass.owner();
      NDArray by;
      if (byColumns == null) {
        by = owner.zeros(exchange.own(pass.shape()));
        links.stages().receive(Flat.memory(by), place.stage() + 1);
      } else {
        by = exchange.leave(owner, headBackward(pass, byColumns));
      }
      for (int layer = stage.end() - 1; layer >= stage.first(); layer--) {
        by = layerBackward(pass, layer, by);
      }
      if (stage.embeds()) {
        NDArray grad = shards.gradients(List.of(0)).singletonOrThrow();
        NDArray all = exchange.enter(owner, by, pass.shape());
        NDArray byFeatures =
            kernels
                .record(owner, "embed_backward", pass.tokens(), pass.places(), all, grad)
                .singletonOrThrow();
        shards.reduce(List.of(0));
        if (tower != null) {
          tower.backward(pass, byFeatures);
        }
      } else {
        links.stages().send(Flat.memory(by), place.stage() - 1);
      }
    }
  }

  private NDArray headBackward(MicroBatchPass pass, NDList byColumns) {
    NDManager owner = pass.owner();
    boolean counts = place.tensor() == 0 || !spec.has(Trait.VALUE_HEAD);
    NDList by = counts ? byColumns : new NDList(byColumns.singletonOrThrow().zerosLike());
    NDList weights = shards.weights(headParameters, List.of());
    NDList gradients = shards.gradients(headParameters);
    NDArray byRows =
        head.backward(
            owner,
            weights,
            gradients.stream().map(NDList::new).toList(),
            Objects.requireNonNull(pass.output()),
            by);
    shards.reduce(headParameters);
    NDArray norm = shards.weights(List.of(stage.norm()), List.of()).singletonOrThrow();
    NDArray normGradient = shards.gradients(List.of(stage.norm())).singletonOrThrow();
    NDArray part =
        kernels
            .record(
                owner,
                "last_norm_backward",
                Objects.requireNonNull(pass.last()),
                pass.rows(),
                norm,
                byRows,
                normGradient)
            .singletonOrThrow();
    shards.reduce(List.of(stage.norm()));
    return part;
  }

  private NDArray layerBackward(MicroBatchPass pass, int layer, NDArray byLayer) {
    NDList weights = shards.weights(stage.layer(layer), List.of());
    NDList gradients = shards.gradients(stage.layer(layer));
    NDArray by = byLayer;
    for (int number = 1; number >= 0; number--) {
      try (NDManager scope = device.newManager()) {
        MicroBatchPass.Half half = pass.half(2 * (layer - stage.first()) + number);
        NDList tape = half.tape();
        if (tape == null) {
          NDArray all = exchange.enter(scope, half.input(), pass.shape());
          tape = record(scope, "half_tape", number, all, pass, weights).subNDList(1);
        }
        NDArray byAll = exchange.enter(scope, by, pass.shape());
        NDArray part =
            kernels.record(scope, "half_backward", byAll, tape, gradients).singletonOrThrow();
        NDArray next = exchange.leave(scope, part);
        next.attach(pass.owner());
        by.close();
        by = next;
        tape.close();
        half.input().close();
      }
    }
    shards.reduce(stage.layer(layer));
    return by;
  }

  @Override
  public void close() {
    if (tower != null) {
      tower.close();
    }
    kernels.close();
    rotary.close();
    owner.close();
  }
}
