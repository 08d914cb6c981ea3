package roll.api.loss;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Options;

/**
 * A policy loss with an analytic gradient. Stateless; called from any thread. Value and gradient
 * are those of a part of the optimizer batch: the sum over all parts is the loss of the whole
 * batch, for any split.
 *
 * <p>Most losses are a {@code roll.math.TokenLoss} run by a {@code roll.math.PolicyLossEvaluator},
 * which adds aggregation, KL loss, entropy bonus, and metrics.
 */
@ConsumerType
public interface PolicyLoss {
  /** Description for users and the pipeline; constant. */
  LossInfo info();

  /**
   * Computes value, gradient, and metrics of the samples in {@code input}. All options are read for
   * any input, so that an input without samples checks them.
   *
   * @param options checked against {@link LossInfo#options()}
   * @throws roll.api.option.UserException if an option has a value that is not allowed
   */
  LossResult evaluate(LossInput input, Options options);

  /**
   * Computes one number per token from the whole optimizer batch, such as a selection of its
   * tokens. Called only if {@link LossInfo#surveys()}; each part receives its numbers as the column
   * {@link LossInput#SURVEY}, so that the split of the batch does not matter.
   *
   * @param whole the optimizer batch with its log-probs before the update
   * @param keys a random number for each sample, which does not depend on the order of the samples
   */
  default double[] survey(LossInput whole, Options options, long[] keys) {
    throw new UnsupportedOperationException("this loss does not survey");
  }

  /**
   * Computes value, gradient, and metrics of a whole optimizer batch, after {@link #survey} if
   * needed.
   *
   * @param keys as in {@link #survey}
   */
  default LossResult evaluateWhole(LossInput whole, Options options, long[] keys) {
    return info().surveys()
        ? evaluate(whole.withColumn(LossInput.SURVEY, survey(whole, options, keys)), options)
        : evaluate(whole, options);
  }
}
