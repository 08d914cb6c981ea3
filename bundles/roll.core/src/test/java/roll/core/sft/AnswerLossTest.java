package roll.core.sft;

import roll.api.loss.PolicyLoss;
import roll.testkit.LossContract;

/** An objective of preferences is trained by parts, as every loss. */
class AnswerLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new AnswerLoss();
  }
}
