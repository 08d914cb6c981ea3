package roll.api.config;

/**
 * Optimizer and learning-rate schedule of a role.
 *
 * @param learningRate peak learning rate
 * @param weightDecay decoupled weight decay of AdamW
 * @param beta1 decay of the first moment
 * @param beta2 decay of the second moment
 * @param microBatch sequences of one forward and backward on one replica ({@code
 *     per_device_train_batch_size})
 * @param accumulation micro-batches of one optimizer step on one replica
 * @param replicas how many copies of the model share the sequences of an optimizer step: the
 *     devices over those that share one copy
 * @param scheduler {@code constant}, {@code linear}, {@code cosine} or {@code warmup_stable_decay}
 * @param warmupSteps optimizer steps of warm-up
 * @param totalSteps optimizer steps of the whole run as planned, the length of the schedule where
 *     {@link roll.api.strategy.RunPosition} does not tell it
 * @param schedulerArgs what shapes the schedule beside its name
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
  /** Settings of a single copy of the model, with a schedule that goes down to nothing. */
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
   * Sequences of one optimizer step.
   *
   * @throws ArithmeticException if there are more than an int counts
   */
  public int effectiveBatch() {
    return Math.multiplyExact(Math.multiplyExact(microBatch, accumulation), replicas);
  }
}
