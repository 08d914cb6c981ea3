package roll.api.config;

/**
 * Optimizer and learning-rate schedule of a role.
 *
 * @param learningRate peak learning rate
 * @param weightDecay decoupled weight decay of AdamW
 * @param beta1 decay of the first moment
 * @param beta2 decay of the second moment
 * @param microBatch sequences per forward and backward pass on one replica ({@code
 *     per_device_train_batch_size})
 * @param accumulation micro-batches per optimizer step on one replica
 * @param replicas data-parallel size: number of copies of the model that share the sequences of an
 *     optimizer step
 * @param scheduler {@code constant}, {@code linear}, {@code cosine} or {@code warmup_stable_decay}
 * @param warmupSteps optimizer steps of warm-up
 * @param totalSteps planned optimizer steps of the whole run; length of the schedule unless {@link
 *     roll.api.strategy.RunPosition} sets it
 * @param schedulerArgs parameters of the schedule
 */
public record TrainingConfig(
    double learningRate,
    double weightDecay,
    double beta1,
    double beta2,
    int microBatch,
    int accumulation,
    int replicas,
    String scheduler,
    int warmupSteps,
    int totalSteps,
    SchedulerArgs schedulerArgs) {
  /** Settings of a role that is not trained. */
  public static final TrainingConfig NONE =
      new TrainingConfig(0, 0, 0.9, 0.999, 1, 1, "constant", 0, 1);

  /** Settings of a single replica with default schedule parameters. */
  public TrainingConfig(
      double learningRate,
      double weightDecay,
      double beta1,
      double beta2,
      int microBatch,
      int accumulation,
      String scheduler,
      int warmupSteps,
      int totalSteps) {
    this(
        learningRate,
        weightDecay,
        beta1,
        beta2,
        microBatch,
        accumulation,
        1,
        scheduler,
        warmupSteps,
        totalSteps,
        SchedulerArgs.STANDARD);
  }

  /**
   * Number of sequences per optimizer step.
   *
   * @throws ArithmeticException if it exceeds an int
   */
  public int effectiveBatch() {
    return Math.multiplyExact(Math.multiplyExact(microBatch, accumulation), replicas);
  }
}
