package roll.parallel.world;

import roll.torch.training.AdamW;

/**
 * A step of the optimizer, the same on every rank.
 *
 * @param number from 1
 * @param rate the learning rate
 * @param norm of the gradient of the whole model; where it is not finite nothing changes
 * @param settings of the optimizer
 */
public record OptimizerStep(long number, double rate, double norm, AdamW.Settings settings) {}
