package roll.api.loss;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Corrects for the difference between the engine that samples and the one that trains, as ROLL's
 * {@code train_infer_correction}: with {@code d = ℓ_old − ℓ_infer}, tokens get the weight {@code
 * min(exp(d at a level), bound)}, and tokens whose ratio or difference of probabilities leaves a
 * range are not trained on.
 *
 * @param weight how tokens are weighted, or null for not at all
 * @param filters all of which a token must pass
 */
public record TrainInferCorrection(@Nullable Weight weight, List<Filter> filters) {
  /** No correction; what is measured is still reported. */
  public static final TrainInferCorrection NONE = new TrainInferCorrection(null, List.of());

  /** Over what a ratio or difference is taken. */
  public enum Level {
    /** Each token's own. */
    TOKEN,
    /** Geometric mean of the turn's ratios, mean of its differences or divergences. */
    SEGMENT,
    /** Geometric mean of the sample's ratios, mean of its differences or divergences. */
    GEOMETRIC,
    /** Product of the sample's ratios, sum of its differences or divergences. */
    SEQUENCE,
    /** The largest of the sample's divergences; ratios and differences have no such level. */
    MAX
  }

  /**
   * Importance weights.
   *
   * @param level of the ratio
   * @param upperBound no weight is larger
   * @param normalized whether weights are divided by their mean, over tokens or, of ratios of whole
   *     samples, over samples (verl's {@code rollout_is_batch_normalize})
   */
  public record Weight(Level level, double upperBound, boolean normalized) {}

  /**
   * What a token must pass.
   *
   * @param level of ratio, difference and divergence
   * @param ratio where the ratio must lie, or null
   * @param difference where {@code exp(ℓ_old) − exp(ℓ_infer)} must lie, or null
   * @param divergence what the divergence must not exceed, or null
   */
  public record Filter(
      Level level,
      @Nullable Range ratio,
      @Nullable Range difference,
      @Nullable Divergence divergence) {}

  /**
   * A bound on how far the two engines are apart (verl's {@code rollout_rs}).
   *
   * @param kind of estimate by token
   * @param bound no token, turn or sample with more is trained on
   */
  public record Divergence(Estimate kind, double bound) {}

  /** Estimates by token of a divergence, never negative. */
  public enum Estimate {
    /** {@code ½d²}. */
    K2,
    /** {@code e^d − 1 − d}. */
    K3;

    /** The divergence at the log-ratio {@code d}. */
    public double of(double d) {
      return this == K2 ? d * d / 2 : Math.expm1(d) - d;
    }
  }

  /**
   * Numbers from one to another.
   *
   * @param low the least
   * @param high the largest
   */
  public record Range(double low, double high) {
    /** Whether {@code value} is one of them. */
    public boolean contains(double value) {
      return value >= low && value <= high;
    }
  }

  /**
   * What the correction found.
   *
   * @param weights of each token's loss, 1 where there is no weighting
   * @param kept trained tokens that pass all filters
   * @param metrics ROLL's, over the whole batch
   */
  public record Result(double[] weights, boolean[] kept, Map<String, Double> metrics) {}

  /** Whether anything is corrected. */
  public boolean corrects() {
    return weight != null || !filters.isEmpty();
  }
}
