package roll.torch.vision;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.VisionSpec;
import roll.api.strategy.TokenBatch;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallVisionDecoder;
import roll.torch.Device;
import roll.torch.FiniteDifferences;
import roll.torch.Kernels;
import roll.torch.LinearBackends;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.RotaryTable;

/** Kernels of tower and decoder, and random weights, in f64. Only on the compute thread. */
final class DoubleVisionModel implements AutoCloseable {
  final DecoderSpec spec;
  private final NDManager manager;
  private final Kernels decoder;
  private final Kernels tower;
  final NDList weights = new NDList();
  private final NDList towerWeights;
  private final TowerInput pictures;
  private final NDArray places;
  private final NDArray tokens;
  private final NDArray rows;
  private final NDArray targets;
  private final NDArray segments;
  private final NDArray cos;
  private final NDArray sin;
  private final NDArray byLogProb;
  private final NDArray byEntropy;

  DoubleVisionModel(Device device, VisionSpec vision, TokenBatch batch, MicroBatch part) {
    this.spec =
        SmallVisionDecoder.spec(Set.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.TIED_HEAD), vision);
    this.manager = device.newManager();
    Precision precision = Precision.of(Dtype.FP32);
    Map<String, Object> constants = new HashMap<>(Decoder.constants(spec, precision));
    constants.putAll(VisionTower.constants(vision, precision));
    List.of("WIDE", "COMPUTE", "LOGITS").forEach(name -> constants.put(name, 7));
    List<String> sources =
        new ArrayList<>(
            Decoder.sources(
                Kernels.source(Decoder.class, "product.py"), LinearBackends.libtorchOnly()));
    sources.add(Decoder.backwardSource());
    this.decoder = Kernels.compile(device, constants, sources);
    this.tower =
        Kernels.compile(
            device, constants, VisionTower.sources(vision, LinearBackends.libtorchOnly()));
    for (DecoderSpec.Parameter parameter : DecoderParameters.of(spec)) {
      weights.add(FiniteDifferences.weight(manager, parameter));
    }
    this.towerWeights = VisionTower.weights(spec, weights);
    int length = part.length();
    this.tokens = manager.create(part.tokens(), new Shape(part.tokens().length / length, length));
    this.rows = manager.create(part.rows());
    this.targets = manager.create(part.targets());
    this.segments = manager.create(part.segments(), new Shape(2, part.segments().length / 2));
    VisionInput seen =
        VisionInput.of(
            manager,
            batch,
            part,
            vision,
            new PicturePatches(vision, SmallVisionDecoder::processor));
    this.places = seen.places();
    TowerInput shown = seen.pictures();
    this.pictures =
        new TowerInput(
            shown.patches().toType(DataType.FLOAT64, true),
            shown.squares(),
            shown.back(),
            shown.windows(),
            shown.wholes(),
            shown.cos(),
            shown.sin(),
            shown.corners(),
            shown.shares().toType(DataType.FLOAT64, true));
    try (RotaryTable table = new RotaryTable(device, spec)) {
      this.cos = turned(table.cos(), seen.positions());
      this.sin = turned(table.sin(), seen.positions());
    }
    this.byLogProb = manager.create(FiniteDifferences.normal("log-prob", part.rows().length));
    this.byEntropy = manager.create(FiniteDifferences.normal("entropy", part.rows().length));
  }

  private NDArray turned(NDArray table, NDArray positions) {
    Shape shape = tokens.getShape();
    return decoder
        .record(manager, "angles_at", table, positions)
        .singletonOrThrow()
        .reshape(shape.get(0), shape.get(1), 1, 6);
  }

  /**
   * Returns the gradients of the loss for parameters whose names begin with {@code trained}, by
   * index.
   */
  Map<Integer, double[]> gradients(String trained, boolean checkpointing) {
    NDList gradients = new NDList();
    List<Integer> indexes = new ArrayList<>();
    int towers = 0;
    int first = weights.size() - towerWeights.size();
    for (int i = 0; i < weights.size(); i++) {
      if (DecoderParameters.of(spec).get(i).name().startsWith(trained)) {
        weights.get(i).setRequiresGradient(true);
        gradients.add(manager.zeros(weights.get(i).getShape(), DataType.FLOAT64));
        indexes.add(i);
        towers += i >= first ? 1 : 0;
      }
    }
    NDArray again = manager.create(checkpointing ? 1 : 0);
    NDArray deep = manager.create(towers > 0 ? 1 : 0);
    NDArray seed = manager.create(-1);
    NDList seen =
        tower.record(
            manager,
            "forward_tower",
            pictures.arguments(List.of(pictures.patches()), towerWeights, again));
    NDList kept =
        decoder.record(
            manager,
            "forward_pieces",
            tokens,
            rows,
            segments,
            places,
            seen.head(),
            weights,
            cos,
            sin,
            again,
            deep,
            seed);
    NDList head = new NDList(weights.head());
    NDList byHead = indexes.contains(0) ? new NDList(gradients.head()) : new NDList();
    NDList found =
        decoder.call(
            manager, "head_forward", kept.head(), weights.head(), targets, 100, false, false);
    NDArray byRows =
        decoder
            .call(
                manager,
                "head_backward",
                kept.head(),
                head.head(),
                byHead,
                targets,
                found.get(1),
                byLogProb,
                byEntropy,
                new NDList(),
                100)
            .singletonOrThrow();
    NDArray byFeatures =
        decoder
            .record(
                manager,
                "backward_pieces",
                byRows,
                tokens,
                rows,
                segments,
                places,
                kept,
                weights,
                cos,
                sin,
                again,
                deep,
                seed,
                gradients)
            .singletonOrThrow();
    if (towers > 0) {
      NDList byTower = gradients.subNDList(gradients.size() - towers);
      tower.record(
          manager,
          "backward_tower",
          pictures.arguments(List.of(byFeatures), seen, towerWeights, again, byTower));
    }
    weights.forEach(weight -> weight.setRequiresGradient(false));
    Map<Integer, double[]> byIndex = new HashMap<>();
    for (int i = 0; i < indexes.size(); i++) {
      byIndex.put(indexes.get(i), gradients.get(i).toDoubleArray());
    }
    return byIndex;
  }

  double loss() {
    NDArray features =
        tower
            .call(
                manager, "features", pictures.arguments(List.of(pictures.patches()), towerWeights))
            .singletonOrThrow();
    NDArray hidden =
        decoder
            .call(manager, "hidden", tokens, rows, segments, places, features, weights, cos, sin)
            .singletonOrThrow();
    NDList found =
        decoder.call(manager, "head_forward", hidden, weights.head(), targets, 100, false, false);
    return FiniteDifferences.dot(byLogProb.toDoubleArray(), found.get(0).toDoubleArray())
        + FiniteDifferences.dot(byEntropy.toDoubleArray(), found.get(1).toDoubleArray());
  }

  @Override
  public void close() {
    decoder.close();
    tower.close();
    manager.close();
  }
}
