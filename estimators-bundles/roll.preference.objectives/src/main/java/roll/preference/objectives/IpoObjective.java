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
 * Identity preference optimization (Azar et al. 2023, eq. 17): {@code ipo} in {@code
 * huggingface/trl@f2cd577:trl/trainer/dpo_trainer.py#L1440} and, with sums, {@code
 * alibaba/ROLL@8eb27cc:roll/pipeline/dpo/actor_worker.py#L43}.
 */
@Component(name = "roll.preference.objectives.ipo")
@RollPreference("ipo")
public final class IpoObjective implements PreferenceObjective {
  private static final Option<Double> BETA =
      Option.positive("beta", "the target margin is 1 / (2 beta)").withDefault(0.1);
  private static final Option<Boolean> MEAN =
      Option.flag(
              "per_token", "log-ratios are means over tokens as in TRL; false: sums, as in ROLL")
          .withDefault(true);

  @Override
  public PreferenceInfo info() {
    return PreferenceInfo.of(
            "squared distance of the margin from a target",
            """
            L = (m − 1 / (2 beta))²
            m = d_chosen − d_rejected, d = (log π − log π_ref) / tokens\
            """,
            "Azar et al. 2023, arXiv:2310.12036")
        .needing(Need.PAIRS, Need.REFERENCE)
        .withOptions(BETA, MEAN);
  }

  @Override
  public PreferenceResult evaluate(PreferenceBatch batch, Options options) {
    double beta = options.get(BETA);
    boolean mean = options.get(MEAN);
    double target = 1 / (2 * beta);
    return new PairLoss(
            batch,
            answer -> batch.logRatio(answer) / (mean ? batch.lengths()[answer] : 1),
            answer -> 1.0 / (mean ? batch.lengths()[answer] : 1))
        .evaluate(
            m -> (m - target) * (m - target),
            m -> 2 * (m - target),
            answer -> beta * batch.logRatio(answer));
  }
}
