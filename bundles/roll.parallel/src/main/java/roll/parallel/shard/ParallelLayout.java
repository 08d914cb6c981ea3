package roll.parallel.shard;

import java.util.List;
import roll.api.model.DecoderSpec;
import roll.torch.model.TrainedParameters;
import roll.torch.vision.VisionTower;

/**
 * The layout of a model over ranks.
 *
 * @param data number of data-parallel ranks, each of which trains on its share of the samples
 * @param pipeline number of pipeline stages
 * @param tensor number of tensor-parallel ranks
 * @param zero ZeRO stage, sharded over the data-parallel ranks (Rajbhandari et al. 2020, section
 *     5): 0 nothing, 1 the optimizer state, 2 gradients too, 3 parameters too
 * @param sequenceParallel whether tokens are sharded over the tensor-parallel ranks between the
 *     halves of layers (Korthikanti et al. 2022, section 4.2)
 * @param recompute activations that are recomputed for the backward pass
 * @param persistence maximum size of parameters that stay on every rank at stage 3
 * @param prefetch whether the next segment is gathered during computation, at stage 3
 * @param offload state that is offloaded to files
 * @param frozen name prefixes of frozen parameters
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
  /** DeepSpeed's default of {@code stage3_param_persistence_threshold}. */
  public static final long PERSISTENCE = 100_000;

  /** Copies the list of frozen prefixes. */
  public ParallelLayout {
    frozen = List.copyOf(frozen);
  }

  /**
   * Creates a layout without frozen parameters: all adapters are trained, or the whole model
   * without adapters.
   */
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

  /** Returns this layout with parameters frozen whose names begin with one of {@code prefixes}. */
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

  /** Returns the ascending indices of the trained parameters of {@code spec}. */
  public List<Integer> trained(DecoderSpec spec) {
    return TrainedParameters.allBut(spec, "frozen", frozen);
  }

  /** Returns whether the vision tower of {@code spec}, if there is one, is frozen. */
  public boolean towerFrozen(DecoderSpec spec) {
    return trained(spec).getLast() < VisionTower.first(spec);
  }

  /** Activations that are recomputed for the backward pass. */
  public enum Recompute {
    /** Recomputation: none, all activations are kept. */
    NONE,
    /** Recomputation: attention alone; activations of feed-forward layers are kept. */
    SELECTIVE,
    /** Everything; only the inputs of the halves of layers are kept. */
    FULL;

    /**
     * Returns whether half {@code half} of a layer, 0 attention and 1 feed-forward, is recomputed.
     */
    public boolean again(int half) {
      return this == FULL || (this == SELECTIVE && half == 0);
    }
  }

  /** Returns a layout of data-parallel ranks with ZeRO stage {@code zero}. */
  public static ParallelLayout zero(int data, int zero) {
    return new ParallelLayout(
        data, 1, 1, zero, false, Recompute.FULL, PERSISTENCE, true, Offload.NOTHING);
  }

  /** Returns a layout of tensor-parallel ranks and pipeline stages. */
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

  /** Returns the number of ranks of the layout. */
  public int ranks() {
    return data * pipeline * tensor;
  }

  /**
   * Returns the number of ranks that share the optimizer state of a stage's tensor-parallel share.
   */
  public int owners() {
    return zero == 0 ? 1 : data;
  }

  /**
   * Returns whether the gradients of {@code segment} are reduce-scattered after every micro-batch.
   */
  public boolean scatters(Segment segment) {
    return segment.trained() && (zero == 2 || (zero == 3 && !segment.resident()));
  }

  /**
   * Returns the coordinates of {@code rank}: adjacent ranks are tensor-parallel, then
   * data-parallel.
   */
  public Coordinates coordinates(int rank) {
    return new Coordinates(rank / tensor % data, rank / tensor / data, rank % tensor);
  }

  /**
   * The coordinates of a rank in the parallel layout.
   *
   * @param data data-parallel rank
   * @param stage pipeline stage
   * @param tensor tensor-parallel rank
   */
  public record Coordinates(int data, int stage, int tensor) {}
}
