package roll.api.loss;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Options;

/**
 * A policy loss with its hand-written gradient. Stateless; called from any thread. The value and
 * the gradient are those of the part of the optimizer batch that is given: the sum over all parts
 * is the loss of the whole, whatever the parts.
 *
 * <p>Most losses are a {@code roll.math.TokenLoss} run by a {@code roll.math.TokenPass}, which adds
 * what all losses have: aggregation, KL loss, entropy bonus and metrics.
 */
@ConsumerType
public interface PolicyLoss {
  /** Description for humans and the pipeline; always the same. */
  LossInfo info();

  /**
   * Value, gradient and metrics of the samples in {@code input}. All options are read whatever the
   * input is, so that one without samples checks them.
   *
   * @param options checked against {@link LossInfo#options()}
   * @throws roll.api.option.UserException if an option has a value that is not allowed
   */
  LossResult evaluate(LossInput input, Options options);

  /**
   * One number a token that depends on the whole optimizer batch, such as a choice among its
   * tokens. Only asked of a loss that {@link LossInfo#surveys()}; each part then has its numbers as
   * the column {@link LossInput#SURVEY}, so that a part needs no knowledge of the others and
   * cutting the batch changes nothing.
   *
   * @param whole the optimizer batch with its log-probs before the update
   * @param keys a random number for each sample, which does not depend on the order of the samples
   */
  default double[] survey(LossInput whole, Options options, long[] keys) {
    throw new UnsupportedOperationException("this loss does not survey");
  }

  /**
   * Value, gradient and metrics of an optimizer batch that is all in one part, surveyed first where
   * that is needed. An input without samples checks the options.
   *
   * @param keys as {@link #survey} has them
   */
  default LossResult evaluateWhole(LossInput whole, Options options, long[] keys) {
    return info().surveys()
        ? evaluate(whole.withColumn(LossInput.SURVEY, survey(whole, options, keys)), options)
        : evaluate(whole, options);
  }
}
