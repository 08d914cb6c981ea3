package roll.api.loss;

import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Column;
import roll.api.data.Columns;
import roll.api.data.Layout;

/**
 * The input of a loss. Arrays are shared and must not be modified.
 *
 * @param layout of the tokens; those in its mask are trained on
 * @param policy what the policy says of each token
 * @param advantages of each token
 * @param columns what else is there, per token: {@link Batch#REFERENCE_LOG_PROBS}, {@link
 *     #IMPORTANCE}, {@link #SCORES}, and what {@link LossInfo#needs()} names
 * @param settings clips, coefficients, aggregation
 * @param denominators of the whole optimizer batch these samples are part of
 */
public record LossInput(
    Layout layout,
    Policy policy,
    double[] advantages,
    Columns columns,
    LossSettings settings,
    Denominators denominators) {
  /** Column: weight of each token's loss that corrects for the difference of two engines. */
  public static final Column<double[]> IMPORTANCE = Column.ofTokens("train_infer_is_weight");

  /** Column: what {@link PolicyLoss#survey} gave. */
  public static final Column<double[]> SURVEY = Column.ofTokens("survey");

  /** Column: sum of the environment's rewards of the token's sample. */
  public static final Column<double[]> SCORES = Column.ofTokens("scores");

  /**
   * What the policy says of each token.
   *
   * @param logProbs log-probs under the current policy
   * @param oldLogProbs log-probs before this step's updates
   * @param entropies entropies of the current policy
   */
  public record Policy(double[] logProbs, double[] oldLogProbs, double[] entropies) {}

  /** Number of samples. */
  public int samples() {
    return layout.samples();
  }

  /** The column {@code key}, or null. */
  public <T> @Nullable T columnOrNull(Column<T> key) {
    return columns.find(key);
  }

  /** The column {@code key}; it is an error if there is none. */
  public <T> T column(Column<T> key) {
    return columns.get(key);
  }

  /** This input with one column more, or replaced. */
  public <T> LossInput withColumn(Column<T> key, T column) {
    Columns more = columns.with(key, column);
    return new LossInput(layout, policy, advantages, more, settings, denominators);
  }

  /** This input with other entropies. */
  public LossInput withEntropies(double[] others) {
    Policy other = new Policy(policy.logProbs(), policy.oldLogProbs(), others);
    return new LossInput(layout, other, advantages, columns, settings, denominators);
  }

  /** This input with other advantages. */
  public LossInput withAdvantages(double[] others) {
    return new LossInput(layout, policy, others, columns, settings, denominators);
  }

  /** This input with other settings. */
  public LossInput withSettings(LossSettings others) {
    return new LossInput(layout, policy, advantages, columns, others, denominators);
  }
}
