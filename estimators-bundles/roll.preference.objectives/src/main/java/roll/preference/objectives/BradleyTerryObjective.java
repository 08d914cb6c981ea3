package roll.preference.objectives;

import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;
import roll.api.preference.PreferenceInfo;
import roll.api.preference.PreferenceInfo.Need;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.api.preference.RollPreference;
import roll.math.PairLoss;

/**
 * Likelihood of preferences under Bradley and Terry's model, for reward models: {@code
 * huggingface/trl@f2cd577:trl/trainer/reward_trainer.py#L751}, with its {@code margin} and {@code
 * center_rewards_coefficient}.
 */
@Component(name = "roll.preference.objectives.bradley_terry")
@RollPreference("bradley_terry")
public final class BradleyTerryObjective implements PreferenceObjective {
  private static final Option<Double> CENTER =
      Option.number(
              "center_rewards_coefficient",
              0,
              Double.MAX_VALUE,
              "weight of the squared sum of both scores, which draws their mean to 0")
          .withDefault(0.0);

  @Override
  public PreferenceInfo info() {
    return PreferenceInfo.of(
            "log-sigmoid of the difference of scores, for reward models",
            """
            L = −log σ(s_chosen − s_rejected − margin)
                + center_rewards_coefficient (s_chosen + s_rejected)²\
            """,
            "Ouyang et al. 2022, arXiv:2203.02155, eq. 1; Touvron et al. 2023, arXiv:2307.09288,"
                + " eq. 2; Eisenstein et al. 2023, arXiv:2312.09244, eq. 2")
        .needing(Need.PAIRS, Need.SCORES)
        .withOptions(CENTER);
  }

  @Override
  public PreferenceResult evaluate(PreferenceBatch batch, Options options) {
    double center = options.get(CENTER);
    double[] scores = batch.logProbs();
    double[] gradient = new double[scores.length];
    int pairs = batch.pairs().size();
    double loss = 0;
    for (Pair pair : batch.pairs()) {
      double margin = scores[pair.chosen()] - scores[pair.rejected()] - pair.margin();
      double sum = scores[pair.chosen()] + scores[pair.rejected()];
      loss += (center * sum * sum - PairLoss.logSigmoid(margin)) / pairs;
      gradient[pair.chosen()] = (2 * center * sum - PairLoss.sigmoid(-margin)) / pairs;
      gradient[pair.rejected()] = (2 * center * sum + PairLoss.sigmoid(-margin)) / pairs;
    }
    return new PreferenceResult(loss, gradient, scores.clone(), Map.of());
  }
}
