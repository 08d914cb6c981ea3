package roll.runtime.config.algorithm;

import roll.api.scoring.GeneralizedJsd;

/**
 * The loss by the reference's distribution (section {@code distill}): with the weight {@code w} the
 * loss of an update is {@code (1 − w) L + w D}, where {@code L} is the policy's or the
 * demonstrations' loss and {@code D} the divergence, aggregated alike.
 *
 * @param divergence of the policy from the reference at each trained token
 * @param weight {@code w}, from 0 to 1
 */
public record DistillConfig(GeneralizedJsd divergence, double weight) {}
