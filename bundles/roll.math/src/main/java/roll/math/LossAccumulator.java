package roll.math;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;

/**
 * Accumulates loss and metrics of a {@link PolicyLossEvaluator}: sums over the tokens of a sample,
 * weighted and added at its end, so that micro-batches of one sample add up to the whole bit for
 * bit.
 */
final class LossAccumulator {
  private final LossSettings settings;
  private final boolean referred;
  private final double each;
  private final List<String> extraNames;
  private final Map<String, Double> totals = new LinkedHashMap<>();

  private double loss;
  private long clipped;
  private double logRatio;
  private double squaredLogRatio;
  private double ratio;
  private double entropy;
  private double divergence;
  private final double[] extras;
  private double most = Double.NEGATIVE_INFINITY;
  private double least = Double.POSITIVE_INFINITY;

  /**
   * Creates zero sums.
   *
   * @param referred whether there is a reference model
   */
  LossAccumulator(
      LossSettings settings, LossDenominators whole, boolean referred, List<String> extraNames) {
    this.settings = settings;
    this.referred = referred;
    this.each = 1.0 / Math.max(1, whole.tokens());
    this.extraNames = extraNames;
    this.extras = new double[extraNames.size()];
    endSample(0, 0); // every metric is present, even without samples
  }

  /** Adds a token whose loss has the weight {@code importance}. */
  void add(LossToken token, double importance) {
    loss += importance * token.loss;
    clipped += token.clipped ? 1 : 0;
    logRatio += token.logRatio;
    squaredLogRatio += token.logRatio * token.logRatio;
    ratio += token.ratio;
    for (int k = 0; k < extras.length; k++) {
      extras[k] += token.extras[k];
    }
    most = token.ratio > most ? token.ratio : most;
    least = token.ratio < least ? token.ratio : least;
  }

  /** Adds the entropies, and divergences from the reference, of a sample's tokens. */
  void addTerms(double entropies, double divergences) {
    entropy += entropies;
    divergence += divergences;
  }

  /** Adds the loss of a sample at its end. */
  void endSample(double weight, double termWeight) {
    double terms = settings.klCoefficient() * divergence - settings.entropyCoefficient() * entropy;
    total("actor/total_loss", weight * loss + termWeight * terms);
    total("actor/pg_loss", weight * loss);
    total("actor/clipfrac", weight * clipped);
    total("actor/approxkl", termWeight * squaredLogRatio / 2);
    total("actor/policykl", termWeight * logRatio);
    total("actor/ratio_mean", each * ratio);
    total("actor/entropy", each * entropy);
    if (referred) {
      total("actor/kl_loss", termWeight * divergence);
    }
    for (int k = 0; k < extras.length; k++) {
      total(extraNames.get(k), each * extras[k]);
    }
    clipped = 0;
    loss = logRatio = squaredLogRatio = ratio = entropy = divergence = 0;
    Arrays.fill(extras, 0);
  }

  private void total(String name, double share) {
    totals.merge(name, share, Double::sum);
  }

  /** Returns the loss, and all metrics with ROLL's names, with these gradients. */
  LossResult result(double[] byLogProb, double[] byEntropy) {
    Map<String, Double> metrics = new LinkedHashMap<>(totals);
    if (most >= least) {
      metrics.put("actor/ratio_max", most);
      metrics.put("actor/ratio_min", least);
    }
    double total = totals.getOrDefault("actor/total_loss", 0.0);
    return new LossResult(total, byLogProb, byEntropy, metrics);
  }
}
