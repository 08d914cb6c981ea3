package roll.math;

import java.util.Arrays;
import roll.api.data.Batch;
import roll.api.data.ColumnMap;
import roll.api.data.Layout;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;

/** Creates hand-written inputs of losses, one row for each sample. */
public final class LossRows {
  private LossRows() {}

  /**
   * Returns an optimizer batch of rows, one for each sample, with zero entropies and no other
   * columns; consecutive tokens in the mask are a turn. Rows may be padded; the longest one is the
   * divisor of {@code seq-mean-token-sum-norm}.
   *
   * @param mask 1 where a token is trained on
   */
  public static LossInput of(
      double[][] logProbs,
      double[][] oldLogProbs,
      int[][] mask,
      double[][] advantages,
      LossSettings settings) {
    Layout layout = Layout.ofRows(mask);
    LossDenominators counts = LossDenominators.of(layout);
    int longest = Arrays.stream(mask).mapToInt(row -> row.length).max().orElse(0);
    return new LossInput(
        layout,
        new LossInput.Policy(
            Layout.cells(logProbs), Layout.cells(oldLogProbs), new double[layout.size()]),
        Layout.cells(advantages),
        ColumnMap.NONE,
        settings,
        new LossDenominators(counts.tokens(), counts.samples(), longest));
  }

  /** Returns an input without samples, with which a loss checks its options. */
  public static LossInput nothing(LossSettings settings) {
    double[][] none = {};
    return of(none, none, new int[0][], none, settings)
        .withColumn(Batch.REFERENCE_LOG_PROBS, Layout.cells(none));
  }
}
