package roll.api.loss;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Column;
import roll.api.data.Columns;
import roll.api.data.Layout;

/**
 * What a loss sees. Arrays are shared and never written.
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

  /**
   * An optimizer batch given as rows, one a sample: entropies are 0, there are no other columns,
   * and what stands together in the mask is a turn. Rows may have any lengths and may be padded;
   * the longest is what {@code seq-mean-token-sum-norm} divides by.
   *
   * @param mask 1 where a token is trained on
   */
  public static LossInput ofRows(
      double[][] logProbs,
      double[][] oldLogProbs,
      int[][] mask,
      double[][] advantages,
      LossSettings settings) {
    Layout layout = Layout.ofRows(mask);
    Denominators counts = Denominators.of(layout);
    int longest = Arrays.stream(mask).mapToInt(row -> row.length).max().orElse(0);
    return new LossInput(
        layout,
        new Policy(Layout.cells(logProbs), Layout.cells(oldLogProbs), new double[layout.size()]),
        Layout.cells(advantages),
        Columns.NONE,
        settings,
        new Denominators(counts.tokens(), counts.samples(), longest));
  }

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

  /** An input without samples: what a loss makes of it checks its options. */
  public static LossInput nothing(LossSettings settings) {
    double[][] none = {};
    return ofRows(none, none, new int[0][], none, settings)
        .withColumn(Batch.REFERENCE_LOG_PROBS, Layout.cells(none));
  }
}
