package roll.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.PipelineStage;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.RotaryTable;

/**
 * The compiled functions of one rank: a decoder of its share, and {@code rank.py}; with adapters
 * also a variant without them. Owns them. Used on the compute thread.
 */
final class RankKernels implements AutoCloseable {
  private final Kernels kernels;
  private final @Nullable Kernels withoutAdapters;
  private final PipelineStage stage;
  private final RotaryTable rotary;
  private final NDManager owner;
  private final List<NDArray> halfNumbers;

  /**
   * Compiles the functions for the rank at {@code coordinates}.
   *
   * @param rotary table of positions, owned by the caller
   */
  RankKernels(
      Device device,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout.Coordinates coordinates,
      PipelineStage stage,
      RotaryTable rotary) {
    this.kernels = compile(device, spec, precision, coordinates, stage, true);
    this.withoutAdapters =
        spec.adapter() == null ? null : compile(device, spec, precision, coordinates, stage, false);
    this.stage = stage;
    this.rotary = rotary;
    this.owner = device.newManager();
    this.halfNumbers = List.of(Device.host(owner).create(0), Device.host(owner).create(1));
  }

  private static Kernels compile(
      Device device,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout.Coordinates coordinates,
      PipelineStage stage,
      boolean adapted) {
    List<String> sources = new ArrayList<>(Decoder.sources(device, stage.share(), precision));
    sources.add(Decoder.backwardSource());
    sources.add(Kernels.source(RankModel.class, "rank.py"));
    boolean first = coordinates.tensor() == 0;
    Map<String, Object> constants = new HashMap<>(Decoder.constants(stage.share(), precision));
    if (!adapted) {
      constants.replaceAll((name, value) -> name.endsWith("_A") ? -1 : value);
    }
    constants.put("FIRST", first);
    constants.put("O_BIAS", first && spec.has(Trait.OUTPUT_BIAS));
    constants.put("DOWN_BIAS", first && spec.has(Trait.FEED_FORWARD_BIAS));
    int size = stage.share().vocabulary();
    int start = coordinates.tensor() * size;
    constants.put("SHARD_SIZE", size);
    constants.put("SHARD_START", start);
    for (String token : List.of("IMAGE", "VIDEO")) { // columns of the logits of this shard, or -1
      constants.computeIfPresent(
          token,
          (name, id) -> (int) id >= start && (int) id < start + size ? (int) id - start : -1);
    }
    return Kernels.compile(device, constants, sources);
  }

  /** Returns all compiled functions of the rank, with adapters. */
  Kernels all() {
    return kernels;
  }

  /** Returns the rank's term of the embedding of the tokens; owned by the pass. */
  NDArray embed(MicroBatchPass pass, NDArray weight) {
    return kernels
        .record(pass.owner(), "embed", pass.tokens(), pass.places(), pass.features(), weight)
        .singletonOrThrow();
  }

  /** Returns {@code all} with the features that DeepStack adds after layer {@code layer}. */
  NDArray deepen(MicroBatchPass pass, NDArray all, int layer) {
    try (NDArray number = Device.host(owner).create(layer)) {
      return kernels
          .record(pass.owner(), "deepen", number, all, pass.places(), pass.features())
          .singletonOrThrow();
    }
  }

  /** Returns the rows of the image placeholders, [M, hidden], of {@code all}. */
  NDArray placed(MicroBatchPass pass, NDArray all) {
    return kernels.record(pass.owner(), "placed", all, pass.places()).singletonOrThrow();
  }

  /**
   * Adds the gradient of the embedding; returns that of the features of pictures.
   *
   * @param by derivatives with respect to the residual stream
   * @param gradient of the embedding, or empty if it is frozen
   */
  NDArray embedBackward(MicroBatchPass pass, NDArray by, NDList gradient) {
    NDList given = new NDList(by).addAll(gradient);
    return kernels
        .record(pass.owner(), "embed_backward", pass.tokens(), pass.places(), given)
        .singletonOrThrow();
  }

  /**
   * Returns the rank's term of half {@code half} of a layer, without autograd.
   *
   * @param adapted whether with the adapters, if there are any
   */
  NDArray half(
      NDManager owner,
      boolean adapted,
      int half,
      NDArray all,
      MicroBatchPass pass,
      NDList weights) {
    Kernels base = withoutAdapters;
    return (adapted || base == null ? kernels : base)
        .record(
            owner,
            "half_forward",
            halfNumbers.get(half),
            all,
            pass.segments(),
            weights,
            pass.cos(rotary),
            pass.sin(rotary))
        .singletonOrThrow();
  }

  /** Returns the same, followed by the recorded graph for {@link #halfBackward}. */
  NDList tape(
      NDManager owner, int half, NDArray all, MicroBatchPass pass, NDList weights, int layer) {
    List<Integer> parameters = stage.layer(layer);
    List<Integer> trained = stage.trained(parameters);
    long[] which = parameters.stream().mapToLong(p -> trained.contains(p) ? 1 : 0).toArray();
    try (NDArray trains = Device.host(owner).create(which)) {
      return kernels.record(
          owner,
          "half_tape",
          halfNumbers.get(half),
          all,
          pass.segments(),
          weights,
          trains,
          pass.cos(rotary),
          pass.sin(rotary));
    }
  }

  /**
   * Returns the gradient of the input of half a layer; adds those of trained parameters to the
   * gradients.
   */
  NDArray halfBackward(NDManager owner, NDArray by, NDList tape, NDList gradients) {
    NDList given = new NDList(by).addAll(gradients);
    return kernels.record(owner, "half_backward", given, tape).singletonOrThrow();
  }

  /** Returns the last norm of the scored rows of the pass. */
  NDArray lastNorm(MicroBatchPass pass, NDArray all, NDArray norm) {
    return kernels.record(pass.owner(), "last_norm", all, pass.rows(), norm).singletonOrThrow();
  }

  /**
   * Returns the gradient of its input; adds that of the norm to the gradient, which is empty if it
   * is frozen.
   */
  NDArray lastNormBackward(MicroBatchPass pass, NDArray norm, NDArray byRows, NDList gradient) {
    NDArray last = Objects.requireNonNull(pass.last());
    NDList given = new NDList(byRows).addAll(gradient);
    return kernels
        .record(pass.owner(), "last_norm_backward", last, pass.rows(), norm, given)
        .singletonOrThrow();
  }

  @Override
  public void close() {
    kernels.close();
    if (withoutAdapters != null) {
      withoutAdapters.close();
    }
    owner.close();
  }
}
