package roll.preference.objectives;

import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceInfo;
import roll.api.preference.PreferenceInfo.Need;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.api.preference.RollPreference;
import roll.math.PairLoss;

/**
 * Kahneman–Tversky optimization (Ethayarajh et al. 2024, eq. 7): {@code kto} in {@code
 * huggingface/trl@f2cd577:trl/trainer/kto_trainer.py#L1553}.
 */
@Component(name = "roll.preference.objectives.kto")
@RollPreference("kto")
public final class KtoObjective implements PreferenceObjective {
  private static final Option<Double> BETA =
      Option.positive("beta", "scale of the log-ratios").withDefault(0.1);
  private static final Option<Double> DESIRABLE =
      Option.number("desirable_weight", 0, Double.MAX_VALUE, "weight of desirable answers")
          .withDefault(1.0);
  private static final Option<Double> UNDESIRABLE =
      Option.number("undesirable_weight", 0, Double.MAX_VALUE, "weight of the others")
          .withDefault(1.0);

  @Override
  public PreferenceInfo info() {
    return PreferenceInfo.of(
            "labels of single answers against the policy's divergence",
            """
            L = desirable_weight (1 − σ(beta (d − z)))     of a desirable answer
            L = undesirable_weight (1 − σ(beta (z − d)))   of another
            d = log π − log π_ref, z = max(0, mean d of answers to other prompts)\
            """,
            "Ethayarajh et al. 2024, arXiv:2402.01306")
        .needing(Need.REFERENCE, Need.DIVERGENCE)
        .withOptions(BETA, DESIRABLE, UNDESIRABLE);
  }

  @Override
  public PreferenceResult evaluate(PreferenceBatch batch, Options options) {
    double beta = options.get(BETA);
    double desirable = options.get(DESIRABLE);
    double undesirable = options.get(UNDESIRABLE);
    double[] gradient = new double[batch.answers()];
    double[] rewards = new double[batch.answers()];
    double loss = 0;
    for (int i = 0; i < gradient.length; i++) {
      double sign = batch.preferred()[i] ? 1 : -1;
      double weight = (batch.preferred()[i] ? desirable : undesirable) / gradient.length;
      double value = PairLoss.sigmoid(sign * beta * (batch.logRatio(i) - batch.divergence()));
      loss += weight * (1 - value);
      gradient[i] = -weight * sign * beta * value * (1 - value);
      rewards[i] = beta * batch.logRatio(i);
    }
    return new PreferenceResult(loss, gradient, rewards, Map.of("kl", batch.divergence()));
  }
}
