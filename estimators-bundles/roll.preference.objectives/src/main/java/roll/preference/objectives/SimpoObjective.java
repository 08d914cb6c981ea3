package roll.preference.objectives;

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
 * Simple preference optimization: {@code simpo} in {@code
 * huggingface/trl@f2cd577:trl/experimental/cpo/cpo_trainer.py#L714}, with {@code cpo_alpha} 0.
 */
@Component(name = "roll.preference.objectives.simpo")
@RollPreference("simpo")
public final class SimpoObjective implements PreferenceObjective {
  private static final Option<Double> BETA =
      Option.positive("beta", "scale of the mean log-probs").withDefault(2.0);
  private static final Option<Double> GAMMA =
      Option.number("simpo_gamma", 0, Double.MAX_VALUE, "target margin").withDefault(0.5);

  @Override
  public PreferenceInfo info() {
    return PreferenceInfo.of(
            "log-sigmoid of the margin of mean log-probs, without a reference",
            """
            L = −log σ(m − simpo_gamma)
            m = r_chosen − r_rejected, r = beta · log π / tokens\
            """,
            "Meng et al. 2024, arXiv:2405.14734")
        .needing(Need.PAIRS)
        .withOptions(BETA, GAMMA);
  }

  @Override
  public PreferenceResult evaluate(PreferenceBatch batch, Options options) {
    double beta = options.get(BETA);
    double gamma = options.get(GAMMA);
    return new PairLoss(
            batch,
            answer -> beta * batch.logProbs()[answer] / batch.lengths()[answer],
            answer -> beta / batch.lengths()[answer])
        .evaluate(
            m -> -PairLoss.logSigmoid(m - gamma),
            m -> -PairLoss.sigmoid(gamma - m),
            answer -> beta * batch.logProbs()[answer] / batch.lengths()[answer]);
  }
}
