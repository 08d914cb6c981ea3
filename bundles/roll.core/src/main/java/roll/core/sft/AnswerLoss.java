package roll.core.sft;

import java.util.Map;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;

/**
 * The part of an objective of preferences that is trained: its gradient by the log-prob of each
 * token is minus the token's advantage, which was computed from the whole optimizer batch. So any
 * split of the batch, also within a pair, gives the same gradient.
 */
final class AnswerLoss implements PolicyLoss {
  @Override
  public LossInfo info() {
    return LossInfo.of("weighted log-probs", "−Σ A log π(token)", "");
  }

  @Override
  public LossResult evaluate(LossInput input, Options options) {
    double[] gradient = input.layout().column(t -> -input.advantages()[t]);
    double loss = 0;
    for (int t = 0; t < gradient.length; t++) {
      if (input.layout().mask()[t]) {
        loss += gradient[t] * input.policy().logProbs()[t];
      }
    }
    return new LossResult(loss, gradient, new double[gradient.length], Map.of());
  }
}
