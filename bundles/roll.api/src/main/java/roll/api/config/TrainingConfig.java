package roll.api.config;

/**
 * Optimizer and learning-rate schedule of a role.
 *
 * @param learningRate peak learning rate
 * @param weightDecay decoupled weight decay of AdamW
 * @param beta1 decay of the first moment
 * @param beta2 decay of the second moment
 * @param microBatch sequences of one forward and backward ({@code per_device_train_batch_size})
 * @param accumulation micro-batches of one optimizer step
 * @param scheduler {@code constant}, {@code linear} or {@code cosine}
 * @param warmupSteps optimizer steps of linear warm-up
 * @param totalSteps optimizer steps of the whole run, the length of the schedule
 */
public record TrainingConfig(
    double learningRate,
    double weightDecay,
    double beta1,
    double beta2,
    int microBatch,
    int accumulation,
    String scheduler,
    int warmupSteps,
    int totalSteps) {}
