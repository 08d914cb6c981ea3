package {{basePackageName}};

import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.math.PolicyLossEvaluator;

/** REINFORCE with a lower weight of negative advantages. */
@Component(name = "{{projectName}}")
@RollLoss("{{projectName}}")
public final class {{className}}Loss implements PolicyLoss {
  private static final Option<Double> NEGATIVE_WEIGHT =
      Option.number("negative_weight", 0, 1, "weight of tokens with a negative advantage")
          .withDefault(0.5);

  /** The description for {@code loss show} and the pipeline. */
  @Override
  public LossInfo info() {
    return LossInfo.of(
            "policy gradient, bad tokens weighted",
            "L = −wAℓ; w = negative_weight where A < 0, else 1",
            "where you have it from")
        .withOptions(NEGATIVE_WEIGHT);
  }

  /**
   * Returns the loss of each token and the derivative of the loss by the token's log-prob; {@link
   * PolicyLossEvaluator} adds what all losses have: aggregation, KL loss, entropy bonus and metrics.
   */
  @Override
  public LossResult evaluate(LossInput in, Options options) {
    double negative = options.get(NEGATIVE_WEIGHT);
    return new PolicyLossEvaluator(in)
        .withMeans("actor/{{projectName}}_bad_tokens")
        .evaluate(
            token -> {
              boolean bad = token.advantage() < 0;
              double slope = -(bad ? negative : 1) * token.advantage();
              token.byLogProb(slope * token.logProb(), slope);
              token.extra(0, bad);
            });
  }
}
