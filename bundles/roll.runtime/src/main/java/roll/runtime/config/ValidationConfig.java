package roll.runtime.config;

/**
 * When the policy is validated, and on how much.
 *
 * @param evalSteps steps between validations, and one after the last step; 0 never
 * @param beforeTrain whether the policy is validated before the first step ({@code
 *     val_before_train})
 * @param batchSize trajectories of a validation ({@code val_batch_size})
 */
public record ValidationConfig(int evalSteps, boolean beforeTrain, int batchSize) {}
