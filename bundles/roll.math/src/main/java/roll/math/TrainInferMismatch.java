package roll.math;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Layout;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Divergence;
import roll.api.loss.TrainInferCorrection.Estimate;
import roll.api.loss.TrainInferCorrection.Filter;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.loss.TrainInferCorrection.Weight;

/** The mismatch between the engine that sampled a batch and the trainer. */
public final class TrainInferMismatch {
  private final Layout layout;
  private final double[] logRatios;
  private final double[] differences;
  private final double[] byToken;
  private final double[] bySample;
  private final Map<String, Double> metrics = new LinkedHashMap<>();

  private TrainInferMismatch(Layout layout, double[] old, double[] sampled) {
    this.layout = layout;
    logRatios = layout.column(t -> old[t] - sampled[t]);
    differences = layout.column(t -> Math.exp(old[t]) - Math.exp(sampled[t]));
    LossDenominators whole = LossDenominators.of(layout);
    byToken = TokenWeights.of(layout, Aggregation.TOKEN_MEAN, whole);
    bySample = TokenWeights.of(layout, Aggregation.SEQ_MEAN_TOKEN_MEAN, whole);
  }

  /**
   * Returns weights, mask and metrics of a batch, as {@code how} configures.
   *
   * @param layout of the tokens; those in its mask are trained on
   * @param old log-probs of the trained model before this step's updates
   * @param sampled log-probs when the tokens were sampled
   */
  public static TrainInferCorrection.Result corrected(
      TrainInferCorrection how, Layout layout, double[] old, double[] sampled) {
    return new TrainInferMismatch(layout, old, sampled).corrected(how);
  }

  private TrainInferCorrection.Result corrected(TrainInferCorrection how) {
    for (Level level : EnumSet.complementOf(EnumSet.of(Level.MAX))) {
      metrics.put(named("ratio_%s_mean", level), dot(bySample, ratios(level)));
      metrics.put(named("diff_%s_mean", level), dot(bySample, at(level, differences)));
    }
    double[] weights = weights(how.weight());
    boolean[] kept = layout.mask().clone();
    for (Filter filter : how.filters()) {
      Level level = filter.level();
      if (filter.ratio() != null) {
        keep(kept, filter.ratio(), ratios(level), named("%s_ratio_mask_mean", level));
      }
      if (filter.difference() != null) {
        keep(kept, filter.difference(), at(level, differences), named("%s_diff_mask_mean", level));
      }
      Divergence divergence = filter.divergence();
      if (divergence != null) {
        String kind = divergence.kind().name().toLowerCase(Locale.ROOT);
        Range range = new Range(0, divergence.bound());
        double[] values = at(level, estimates(divergence.kind()));
        keep(kept, range, values, named("%s_" + kind + "_mask_mean", level));
      }
    }
    if (!how.filters().isEmpty()) {
      metrics.put("actor/train_infer_final_mask_mean", share(kept));
    }
    return new TrainInferCorrection.Result(weights, kept, metrics);
  }

  private double[] weights(@Nullable Weight how) {
    if (how == null) {
      double[] ones = new double[layout.size()];
      Arrays.fill(ones, 1);
      return ones;
    }
    double[] weights = ratios(how.level());
    boolean[] changed = new boolean[layout.size()];
    for (int t = 0; t < weights.length; t++) {
      double weight = how.of(weights[t]);
      changed[t] = weight != weights[t];
      weights[t] = weight;
    }
    metrics.put("actor/is_weight_clipfrac", share(changed));
    if (how.normalized()) {
      boolean ofTokens = how.level() == Level.TOKEN || how.level() == Level.SEGMENT;
      double mean = dot(ofTokens ? byToken : bySample, weights);
      for (int t = 0; t < weights.length; t++) {
        weights[t] = mean > 0 ? weights[t] / mean : weights[t];
      }
    }
    return weights;
  }

  /** Masks values outside {@code range} and reports the share inside. */
  private void keep(boolean[] kept, Range range, double[] values, String metric) {
    boolean[] inside = new boolean[kept.length];
    for (int t = 0; t < kept.length; t++) {
      inside[t] = range.contains(values[t]);
      kept[t] &= inside[t];
    }
    metrics.put(metric, share(inside));
  }

  private double[] ratios(Level level) {
    return LogRatios.exponentials(at(level, logRatios));
  }

  private double[] estimates(Estimate kind) {
    double[] estimates = new double[layout.size()];
    for (int t = 0; t < estimates.length; t++) {
      estimates[t] =
          kind.of(Math.clamp(logRatios[t], -LogRatios.MAX_LOG_RATIO, LogRatios.MAX_LOG_RATIO));
    }
    return estimates;
  }

  private double[] at(Level level, double[] column) {
    return switch (level) {
      case TOKEN -> column;
      case SEGMENT -> LogRatios.turnMeans(layout, column);
      case GEOMETRIC -> LogRatios.sampleMeans(layout, column);
      case SEQUENCE -> LogRatios.sampleSums(layout, column);
      case MAX -> LogRatios.sampleMaxima(layout, column);
    };
  }

  private static String named(String pattern, Level level) {
    return "actor/train_infer_" + pattern.formatted(level.name().toLowerCase(Locale.ROOT));
  }

  /** Returns the share of trained tokens in {@code chosen}. */
  private double share(boolean[] chosen) {
    double sum = 0;
    for (int t = 0; t < chosen.length; t++) {
      sum += chosen[t] ? byToken[t] : 0;
    }
    return sum;
  }

  private static double dot(double[] weights, double[] values) {
    double sum = 0;
    for (int t = 0; t < weights.length; t++) {
      sum += weights[t] * values[t];
    }
    return sum;
  }
}
