package roll.parallel.shard;

import java.util.List;
import roll.api.model.DecoderSpec;
import roll.torch.model.TrainedParameters;
import roll.torch.vision.VisionTower;

/**
 * How a model in training is spread over ranks.
 *
 * @param data data-parallel ranks: each trains on its share of the samples
 * @param pipeline stages the layers are cut into
 * @param tensor ranks every layer is cut over
 * @param zero what is cut over the data-parallel ranks (Rajbhandari et al. 2020, section 5): 0
 *     nothing, 1 the optimizer's state, 2 gradients too, 3 parameters too
 * @param sequenceParallel whether the tensor-parallel ranks each keep a share of the tokens between
 *     the halves of the layers (Korthikanti et al. 2022, section 4.2)
 * @param recompute what is computed again for the backward pass
 * @param persistence parameters of at most so many numbers are on every rank even at stage 3
 * @param prefetch whether the next segment is gathered while one is computed, at stage 3
 * @param offload what is in files
 * @param frozen what begins the names of parameters that are not trained
 */
public record ParallelLayout(
    int data,
    int pipeline,
    int tensor,
    int zero,
    boolean sequenceParallel,
    Recompute recompute,
    long persistence,
    boolean prefetch,
    Offload offload,
    List<String> frozen) {
  /** DeepSpeed's standard for {@code stage3_param_persistence_threshold}. */
  public static final long PERSISTENCE = 100_000;

  /** The frozen in a list of its own. */
  public ParallelLayout {
    frozen = List.copyOf(frozen);
  }

  /** All of the model is trained, or all adapters where there are any. */
  public ParallelLayout(
      int data,
      int pipeline,
      int tensor,
      int zero,
      boolean sequenceParallel,
      Recompute recompute,
      long persistence,
      boolean prefetch,
      Offload offload) {
    this(
        data,
        pipeline,
        tensor,
        zero,
        sequenceParallel,
        recompute,
        persistence,
        prefetch,
        offload,
        List.of());
  }

  /** The same, but that parameters whose names begin with one of {@code prefixes} stay. */
  public ParallelLayout withFrozen(List<String> prefixes) {
    return new ParallelLayout(
        data,
        pipeline,
        tensor,
        zero,
        sequenceParallel,
        recompute,
        persistence,
        prefetch,
        offload,
        prefixes);
  }

  /** Indexes of the parameters of {@code spec} that are trained, ascending. */
  public List<Integer> trained(DecoderSpec spec) {
    return TrainedParameters.allBut(spec, "frozen", frozen);
  }

  /** Whether a vision tower of {@code spec}, if there is one, is not trained. */
  public boolean towerFrozen(DecoderSpec spec) {
    return trained(spec).getLast() < VisionTower.first(spec);
  }

  /** What is computed again for the backward pass. */
  public enum Recompute {
    /** Nothing: all that happened is kept. */
    NONE,
    /** Attention; what happened in the feed-forward layers is kept. */
    SELECTIVE,
    /** Everything: the inputs of the halves of the layers are kept. */
    FULL;

    /** Whether half {@code half} of a layer, 0 its attention and 1 the rest, is computed again. */
    public boolean again(int half) {
      return this == FULL || (this == SELECTIVE && half == 0);
    }
  }

  /** Data-parallel ranks with ZeRO's stage {@code zero}. */
  public static ParallelLayout zero(int data, int zero) {
    return new ParallelLayout(
        data, 1, 1, zero, false, Recompute.FULL, PERSISTENCE, true, Offload.NOTHING);
  }

  /** Tensor-parallel ranks and pipeline stages. */
  public static ParallelLayout model(int data, int pipeline, int tensor, boolean sequenceParallel) {
    return new ParallelLayout(
        data,
        pipeline,
        tensor,
        1,
        sequenceParallel,
        Recompute.FULL,
        PERSISTENCE,
        false,
        Offload.NOTHING);
  }

  /** Number of ranks. */
  public int ranks() {
    return data * pipeline * tensor;
  }

  /** Over how many ranks the optimizer's state of a stage's share of a layer is cut. */
  public int owners() {
    return zero == 0 ? 1 : data;
  }

  /** Whether every micro-batch's gradients of {@code segment} go to their owners at once. */
  public boolean scatters(Segment segment) {
    return segment.trained() && (zero == 2 || (zero == 3 && !segment.resident()));
  }

  /** Where rank {@code rank} stands: neighbors are tensor-parallel, then data-parallel. */
  public Coordinates coordinates(int rank) {
    return new Coordinates(rank / tensor % data, rank / tensor / data, rank % tensor);
  }

  /**
   * Where a rank stands.
   *
   * @param data its share of the samples
   * @param stage its share of the layers' sequence
   * @param tensor its share of every layer
   */
  public record Coordinates(int data, int stage, int tensor) {}
}
