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
 * Odds-ratio preference optimization (Hong et al. 2024, eqs. 6 and 7): {@code
 * huggingface/trl@f2cd577:trl/experimental/orpo/orpo_trainer.py#L673}, whose cross entropy also
 * covers the prompt.
 */
@Component(name = "roll.preference.objectives.orpo")
@RollPreference("orpo")
public final class OrpoObjective implements PreferenceObjective {
  /** Log of the highest mean probability of a token whose odds are computed. */
  private static final double CERTAIN = -1e-7;

  private static final Option<Double> BETA =
      Option.positive("beta", "weight of the odds ratio (lambda in the paper)").withDefault(0.1);

  @Override
  public PreferenceInfo info() {
    return PreferenceInfo.of(
            "cross entropy of chosen answers and log-sigmoid of the odds ratio, without a"
                + " reference",
            """
            L = −Σ log π(chosen) / tokens of the chosen − beta · log σ(m)
            m = o_chosen − o_rejected, o = p − log(1 − e^p), p = log π / tokens\
            """,
            "Hong et al. 2024, arXiv:2403.07691")
        .needing(Need.PAIRS)
        .withOptions(BETA);
  }

  @Override
  public PreferenceResult evaluate(PreferenceBatch batch, Options options) {
    double beta = options.get(BETA);
    PreferenceResult odds =
        new PairLoss(
                batch,
                answer -> mean(batch, answer) - Math.log(-Math.expm1(mean(batch, answer))),
                answer -> -1 / Math.expm1(mean(batch, answer)) / batch.lengths()[answer])
            .evaluate(
                m -> -beta * PairLoss.logSigmoid(m),
                m -> -beta * PairLoss.sigmoid(-m),
                answer -> beta * batch.logProbs()[answer] / batch.lengths()[answer]);
    double tokens =
        Math.max(1, batch.pairs().stream().mapToDouble(p -> batch.lengths()[p.chosen()]).sum());
    double entropy =
        batch.pairs().stream().mapToDouble(p -> -batch.logProbs()[p.chosen()] / tokens).sum();
    double[] gradient = odds.gradient().clone();
    for (Pair pair : batch.pairs()) {
      gradient[pair.chosen()] -= 1 / tokens;
    }
    return new PreferenceResult(
        entropy + odds.loss(), gradient, odds.rewards(), Map.of("nll_loss", entropy));
  }

  private static double mean(PreferenceBatch batch, int answer) {
    return Math.min(batch.logProbs()[answer] / batch.lengths()[answer], CERTAIN);
  }
}
