package roll.api.loss;

import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.data.Layout;

/**
 * The batch columns and settings from which a policy loss computes. Arrays are shared and must not
 * be modified.
 *
 * @param layout of the tokens; the tokens in its mask are trained on
 * @param policy log-probs and entropies of each token
 * @param advantages of each token
 * @param columns further columns per token: {@link Batch#REFERENCE_LOG_PROBS}, {@link #IMPORTANCE},
 *     {@link #SCORES}, and those of {@link LossInfo#needs()}
 * @param settings clips, coefficients, aggregation
 * @param denominators of the whole optimizer batch these samples are part of
 */
public record LossInput(
    Layout layout,
    Policy policy,
    double[] advantages,
    ColumnMap columns,
    LossSettings settings,
    LossDenominators denominators) {
  /**
   * Column: importance weight of each token's loss that corrects for the train-inference mismatch.
   */
  public static final ColumnKey<double[]> IMPORTANCE = ColumnKey.ofTokens("train_infer_is_weight");

  /** Column with the result of {@link PolicyLoss#survey}. */
  public static final ColumnKey<double[]> SURVEY = ColumnKey.ofTokens("survey");

  /** Column: sum of the environment's rewards of the token's sample. */
  public static final ColumnKey<double[]> SCORES = ColumnKey.ofTokens("scores");

  /**
   * Log-probs and entropies of each token.
   *
   * @param logProbs log-probs under the current policy
   * @param oldLogProbs log-probs before this step's updates
   * @param entropies entropies of the current policy
   */
  public record Policy(double[] logProbs, double[] oldLogProbs, double[] entropies) {}

  /** Number of samples of the loss input. */
  public int samples() {
    return layout.samples();
  }

  /** Returns the column {@code key} of the input, or null. */
  public <T> @Nullable T columnOrNull(ColumnKey<T> key) {
    return columns.find(key);
  }

  /**
   * Returns the column {@code key} of the input.
   *
   * @throws NullPointerException if there is none
   */
  public <T> T column(ColumnKey<T> key) {
    return columns.get(key);
  }

  /** Returns this input with a column added or replaced. */
  public <T> LossInput withColumn(ColumnKey<T> key, T column) {
    ColumnMap more = columns.with(key, column);
    return new LossInput(layout, policy, advantages, more, settings, denominators);
  }

  /** Returns this loss input with other entropies. */
  public LossInput withEntropies(double[] others) {
    Policy other = new Policy(policy.logProbs(), policy.oldLogProbs(), others);
    return new LossInput(layout, other, advantages, columns, settings, denominators);
  }

  /** Returns this loss input with other advantages. */
  public LossInput withAdvantages(double[] others) {
    return new LossInput(layout, policy, others, columns, settings, denominators);
  }

  /** Returns this loss input with other settings. */
  public LossInput withSettings(LossSettings others) {
    return new LossInput(layout, policy, advantages, columns, others, denominators);
  }
}
