package roll.parallel.world;

import roll.torch.training.AdamW;

/**
 * The parameters of an optimizer step, the same on every rank.
 *
 * @param number of the step, from 1
 * @param rate the learning rate
 * @param norm global gradient norm; if it is not finite, nothing changes
 * @param settings of the optimizer
 */
public record OptimizerStep(long number, double rate, double norm, AdamW.Settings settings) {}
