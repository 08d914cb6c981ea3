package roll.torch.parallel.shard;

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
 * @param towerFrozen whether a vision tower is not trained
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
    boolean towerFrozen) {
  /** DeepSpeed's standard for {@code stage3_param_persistence_threshold}. */
  public static final long PERSISTENCE = 100_000;

  /** All of the model is trained. */
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
        false);
  }

  /** The same, but that a vision tower is not trained. */
  public ParallelLayout withFrozenTower() {
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
        true);
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
  public Place place(int rank) {
    return new Place(rank / tensor % data, rank / tensor / data, rank % tensor);
  }

  /**
   * Where a rank stands.
   *
   * @param data its share of the samples
   * @param stage its share of the layers' sequence
   * @param tensor its share of every layer
   */
  public record Place(int data, int stage, int tensor) {}
}
