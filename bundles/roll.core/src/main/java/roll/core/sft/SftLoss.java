package roll.core.sft;

import java.util.Map;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;

/** The loss of supervised training: minus the mean log-prob of the tokens to be learned. */
final class SftLoss implements PolicyLoss {
  /** Name of the metric with the loss of supervised training. */
  static final String LOSS = "sft/loss";

  @Override
  public LossInfo info() {
    return LossInfo.of("cross entropy", "−mean log π(token)", "");
  }

  @Override
  public LossResult evaluate(LossInput input, Options options) {
    double[] gradient = new double[input.layout().size()];
    double count = Math.max(1, input.denominators().tokens());
    double sum = 0;
    for (int t = 0; t < gradient.length; t++) {
      if (input.layout().mask()[t]) {
        sum -= input.policy().logProbs()[t];
        gradient[t] = -1 / count;
      }
    }
    double loss = sum / count;
    return new LossResult(loss, gradient, new double[gradient.length], Map.of(LOSS, loss));
  }
}
