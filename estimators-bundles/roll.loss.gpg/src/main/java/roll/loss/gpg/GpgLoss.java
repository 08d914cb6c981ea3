package roll.loss.gpg;

import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;

/**
 * The plain policy gradient: no ratio, no clip, the old policy is not used. ROLL calls it {@code
 * vanilla}; verl's {@code vanilla} is PPO.
 */
@Component(name = "roll.loss.gpg")
@RollLoss({"gpg", "vanilla", "reinforce"})
public final class GpgLoss implements PolicyLoss {
  @Override
  public LossInfo info() {
    return LossInfo.of(
        "plain policy gradient",
        "L = −Aℓ",
        "Williams 1992; Chu et al. 2025, GPG, arXiv:2504.02546");
  }

  @Override
  public LossResult evaluate(LossInput in, Options options) {
    return new PolicyLossEvaluator(in)
        .evaluate(
            token -> token.byLogProb(-token.advantage() * token.logProb(), -token.advantage()));
  }
}
