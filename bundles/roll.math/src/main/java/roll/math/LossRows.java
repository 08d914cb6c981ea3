package roll.math;

import java.util.Arrays;
import roll.api.data.Batch;
import roll.api.data.Columns;
import roll.api.data.Layout;
import roll.api.loss.Denominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;

/** Inputs of losses that are written by hand, one row per sample. */
public final class LossRows {
  private LossRows() {}

  /**
   * An optimizer batch given as rows, one a sample: entropies are 0, there are no other columns,
   * and what stands together in the mask is a turn. Rows may have any lengths and may be padded;
   * the longest is what {@code seq-mean-token-sum-norm} divides by.
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
    Denominators counts = Denominators.of(layout);
    int longest = Arrays.stream(mask).mapToInt(row -> row.length).max().orElse(0);
    return new LossInput(
        layout,
        new LossInput.Policy(
            Layout.cells(logProbs), Layout.cells(oldLogProbs), new double[layout.size()]),
        Layout.cells(advantages),
        Columns.NONE,
        settings,
        new Denominators(counts.tokens(), counts.samples(), longest));
  }

  /** Returns an input without samples, with which a loss checks its options. */
  public static LossInput nothing(LossSettings settings) {
    double[][] none = {};
    return of(none, none, new int[0][], none, settings)
        .withColumn(Batch.REFERENCE_LOG_PROBS, Layout.cells(none));
  }
}
