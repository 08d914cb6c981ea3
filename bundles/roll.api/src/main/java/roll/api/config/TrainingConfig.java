package roll.api.config;

/**
 * Optimizer and learning-rate schedule of a role.
 *
 * @param learningRate peak learning rate
 * @param weightDecay decoupled weight decay
 * @param beta1 decay of AdamW's first moment
 * @param beta2 decay of AdamW's second moment
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
 * @param optimizer which parameters are updated in which way
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
    SchedulerArgs schedulerArgs,
    OptimizerName optimizer) {
  /** Settings of a role that is not trained. */
  public static final TrainingConfig NONE =
      new TrainingConfig(0, 0, 0.9, 0.999, 1, 1, "constant", 0, 1);

  /** Settings of AdamW on a single replica with default schedule parameters. */
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
        SchedulerArgs.STANDARD,
        OptimizerName.ADAMW);
  }

  /** Returns these settings with {@code other} as optimizer. */
  public TrainingConfig with(OptimizerName other) {
    return new TrainingConfig(
        learningRate,
        weightDecay,
        beta1,
        beta2,
        microBatch,
        accumulation,
        replicas,
        scheduler,
        warmupSteps,
        totalSteps,
        schedulerArgs,
        other);
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
