package roll.runtime.worker;

import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;

/**
 * A policy loss with its options.
 *
 * @param loss that is evaluated
 * @param options checked against those it declares
 * @param whole whether the batch of a training task is one optimizer batch, whatever its size
 */
public record BoundLoss(PolicyLoss loss, Options options, boolean whole) {
  /** Creates the loss of batches that are cut into optimizer batches of the configured size. */
  public BoundLoss(PolicyLoss loss, Options options) {
    this(loss, options, false);
  }

  /** Evaluates {@link PolicyLoss#evaluate} with the options. */
  public LossResult evaluate(LossInput input) {
    return loss.evaluate(input, options);
  }

  /** Computes {@link PolicyLoss#survey} with the options. */
  public double[] survey(LossInput whole, long[] keys) {
    return loss.survey(whole, options, keys);
  }
}
