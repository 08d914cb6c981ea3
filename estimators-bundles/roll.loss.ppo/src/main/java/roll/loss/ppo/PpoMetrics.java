package roll.loss.ppo;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;

/**
 * The metrics of {@link PpoLoss} under ROLL's names. Those that ROLL aggregates as a loss have the
 * loss's weights; fractions, means and the entropy count every trained token alike.
 *
 * @param in what the loss saw
 * @param weight weight of each token
 * @param drift log-prob minus old log-prob
 * @param ratio importance ratio
 * @param surrogate token loss
 * @param kl KL loss before its coefficient
 */
record PpoMetrics(
    LossInput in,
    double[] weight,
    double[] drift,
    double[] ratio,
    double[] surrogate,
    double[] kl) {
  Map<String, Double> shares(double loss) {
    LossSettings settings = in.settings();
    double low = 1 - settings.clipLow();
    double high = 1 + settings.clipHigh();
    double each = 1.0 / Math.max(1, in.denominators().tokens());
    Map<String, Double> shares = new LinkedHashMap<>();
    shares.put("actor/pg_loss", Trained.sum(in, t -> weight[t] * surrogate[t]));
    if (settings.klCoefficient() != 0) {
      shares.put("actor/kl_loss", Trained.sum(in, t -> weight[t] * kl[t]));
    }
    shares.put("actor/entropy", Trained.sum(in, t -> each * in.entropies()[t]));
    shares.put("actor/total_loss", loss);
    shares.put(
        "actor/ppo_ratio_clipfrac",
        Trained.sum(in, t -> ratio[t] < low || ratio[t] > high ? each : 0));
    shares.put("actor/ppo_ratio_low_clipfrac", Trained.sum(in, t -> ratio[t] < low ? each : 0));
    shares.put("actor/ppo_ratio_high_clipfrac", Trained.sum(in, t -> ratio[t] > high ? each : 0));
    shares.put("actor/ratio_mean", Trained.sum(in, t -> each * ratio[t]));
    Trained.values(in, ratio).max().ifPresent(most -> shares.put("actor/ratio_max", most));
    Trained.values(in, ratio).min().ifPresent(least -> shares.put("actor/ratio_min", least));
    shares.put("actor/clipfrac", Trained.sum(in, t -> clipActs(t) ? weight[t] : 0));
    shares.put("actor/approxkl", Trained.sum(in, t -> weight[t] * drift[t] * drift[t] / 2));
    shares.put("actor/policykl", Trained.sum(in, t -> weight[t] * drift[t]));
    return shares;
  }

  private boolean clipActs(int t) {
    double advantage = in.advantages()[t];
    return clip(ratio[t], in.settings()) * advantage < ratio[t] * advantage;
  }

  static double clip(double ratio, LossSettings settings) {
    return Math.clamp(ratio, 1 - settings.clipLow(), 1 + settings.clipHigh());
  }
}
