package roll.api.loss;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Correction of the train-inference mismatch, as ROLL's {@code train_infer_correction}: with {@code
 * d = ℓ_old − ℓ_infer}, tokens get the weight {@code min(exp(d at a level), bound)}; tokens whose
 * probability ratio or difference is out of range are not trained on.
 *
 * @param weight importance weights, or null for none
 * @param filters filters that a token must pass
 * @param current whether {@code d = ℓ − ℓ_infer}, anew at each update (verl's {@code bypass_mode}):
 *     a token that fails a filter then has the weight 0, and still counts in KL loss, entropy bonus
 *     and denominators
 */
public record TrainInferCorrection(@Nullable Weight weight, List<Filter> filters, boolean current) {
  /** No correction; the mismatch is still reported. */
  public static final TrainInferCorrection NONE = new TrainInferCorrection(null, List.of());

  /** A correction by the log-probs before the step's updates. */
  public TrainInferCorrection(@Nullable Weight weight, List<Filter> filters) {
    this(weight, filters, false);
  }

  /** Level of a ratio or difference. */
  public enum Level {
    /** Train inference correction level: one value per token. */
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
   * Importance weights against the train-inference mismatch.
   *
   * @param level of the ratio
   * @param lowerBound null, or the least weight: weights out of bounds are 0 (IcePop)
   * @param upperBound maximum weight; without a lower bound larger ones become this
   * @param normalized whether weights are divided by their mean, over tokens or, for sample-level
   *     ratios, over samples (verl's {@code rollout_is_batch_normalize})
   */
  public record Weight(
      Level level, @Nullable Double lowerBound, double upperBound, boolean normalized) {
    /** Weights that are truncated at {@code upperBound}. */
    public Weight(Level level, double upperBound, boolean normalized) {
      this(level, null, upperBound, normalized);
    }

    /** The weight of the ratio {@code ratio}, before normalization. */
    public double of(double ratio) {
      return lowerBound == null
          ? Math.min(ratio, upperBound)
          : ratio < lowerBound || ratio > upperBound ? 0 : ratio;
    }
  }

  /**
   * A condition for training on a token.
   *
   * @param level of ratio, difference and divergence
   * @param ratio allowed ratios, or null
   * @param difference allowed values of {@code exp(ℓ_old) − exp(ℓ_infer)}, or null
   * @param divergence bound of the divergence, or null
   */
  public record Filter(
      Level level,
      @Nullable Range ratio,
      @Nullable Range difference,
      @Nullable Divergence divergence) {}

  /**
   * An upper bound of the divergence of the two engines (verl's {@code rollout_rs}).
   *
   * @param kind estimate per token
   * @param bound maximum divergence of a trained token, turn or sample
   */
  public record Divergence(Estimate kind, double bound) {}

  /** Nonnegative estimates of a divergence per token. */
  public enum Estimate {
    /** Estimate {@code ½d²} of the divergence from the log-ratio d. */
    K2,
    /** Estimate {@code e^d − 1 − d} of the divergence from the log-ratio d. */
    K3;

    /** The divergence at the log-ratio {@code d}. */
    public double of(double d) {
      return this == K2 ? d * d / 2 : Math.expm1(d) - d;
    }
  }

  /**
   * A closed range of numbers.
   *
   * @param low minimum
   * @param high maximum
   */
  public record Range(double low, double high) {
    /** Whether {@code value} is in the range. */
    public boolean contains(double value) {
      return value >= low && value <= high;
    }
  }

  /**
   * The importance weights and mask of a train-inference correction.
   *
   * @param weights weight of each token's loss, 1 without weighting
   * @param kept trained tokens that pass all filters
   * @param metrics ROLL's, over the whole batch
   */
  public record Result(double[] weights, boolean[] kept, Map<String, Double> metrics) {}

  /** Whether the configuration corrects anything. */
  public boolean corrects() {
    return weight != null || !filters.isEmpty();
  }
}
