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
 * Direct preference optimization, with smoothed labels conservative DPO: {@code sigmoid} in {@code
 * huggingface/trl@f2cd577:trl/trainer/dpo_trainer.py#L1434}, {@code label_smoothing} as in {@code
 * alibaba/ROLL@8eb27cc:roll/pipeline/dpo/actor_worker.py#L46}.
 */
@Component(name = "roll.preference.objectives.dpo")
@RollPreference({"dpo", "sigmoid"})
public final class DpoObjective implements PreferenceObjective {
  private static final Option<Double> BETA =
      Option.positive("beta", "scale of the log-ratios").withDefault(0.1);
  private static final Option<Double> SMOOTHING =
      Option.number("label_smoothing", 0, 0.5, "probability that the answers are swapped (cDPO)")
          .withDefault(0.0);

  @Override
  public PreferenceInfo info() {
    return PreferenceInfo.of(
            "log-sigmoid of the margin of log-ratios; with label_smoothing cDPO",
            """
            L = −(1 − label_smoothing) log σ(m) − label_smoothing · log σ(−m)
            m = r_chosen − r_rejected, r = beta (log π − log π_ref)\
            """,
            "Rafailov et al. 2023, arXiv:2305.18290; Mitchell 2023, ericmitchell.ai/cdpo.pdf")
        .needing(Need.PAIRS, Need.REFERENCE)
        .withOptions(BETA, SMOOTHING);
  }

  @Override
  public PreferenceResult evaluate(PreferenceBatch batch, Options options) {
    double beta = options.get(BETA);
    double swapped = options.get(SMOOTHING);
    return new PairLoss(batch, answer -> beta * batch.logRatio(answer), answer -> beta)
        .evaluate(
            m -> -(1 - swapped) * PairLoss.logSigmoid(m) - swapped * PairLoss.logSigmoid(-m),
            m -> swapped - PairLoss.sigmoid(-m),
            answer -> beta * batch.logRatio(answer));
  }
}
