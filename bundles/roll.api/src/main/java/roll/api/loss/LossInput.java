package roll.api.loss;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;

/**
 * What a loss sees, jagged: sample {@code i} owns the cells {@code offsets[i]} to {@code offsets[i
 * + 1]}.
 *
 * @param offsets first cell of each sample and, last, the number of cells
 * @param turns turn by token, −1 where the policy did not write it
 * @param mask which tokens are trained on
 * @param logProbs log-probs under the current policy
 * @param entropies entropies of the current policy
 * @param oldLogProbs log-probs before this step's updates
 * @param advantages advantages
 * @param columns what else is there, one number a token: {@link Batch#REFERENCE_LOG_PROBS}, {@link
 *     #IMPORTANCE}, and what {@link LossInfo#needs()} names
 * @param settings clips, coefficients, aggregation
 * @param denominators of the whole optimizer batch these samples are part of
 */
public record LossInput(
    int[] offsets,
    int[] turns,
    boolean[] mask,
    double[] logProbs,
    double[] entropies,
    double[] oldLogProbs,
    double[] advantages,
    Map<String, double[]> columns,
    LossSettings settings,
    Denominators denominators) {
  /** Column: weight of each token's loss that corrects for the difference of two engines. */
  public static final String IMPORTANCE = "train_infer_is_weight";

  /** Column: what {@link PolicyLoss#survey} gave. */
  public static final String SURVEY = "survey";

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
    int[] offsets = new int[mask.length + 1];
    int longest = 0;
    for (int i = 0; i < mask.length; i++) {
      offsets[i + 1] = offsets[i] + mask[i].length;
      longest = Math.max(longest, mask[i].length);
    }
    int[] turns = new int[offsets[mask.length]];
    boolean[] trained = new boolean[turns.length];
    for (int i = 0; i < mask.length; i++) {
      int turn = -1;
      for (int t = 0; t < mask[i].length; t++) {
        boolean own = mask[i][t] != 0;
        turn += own && (t == 0 || mask[i][t - 1] == 0) ? 1 : 0;
        turns[offsets[i] + t] = own ? turn : -1;
        trained[offsets[i] + t] = own;
      }
    }
    Denominators counts = Denominators.of(offsets, trained);
    return new LossInput(
        offsets,
        turns,
        trained,
        cells(logProbs),
        new double[turns.length],
        cells(oldLogProbs),
        cells(advantages),
        Map.of(),
        settings,
        new Denominators(counts.tokens(), counts.samples(), longest));
  }

  /** Rows one after the other. */
  public static double[] cells(double[][] rows) {
    return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
  }

  /** Number of samples. */
  public int samples() {
    return offsets.length - 1;
  }

  /** The column {@code name}, or null. */
  public double @Nullable [] columnOrNull(String name) {
    return columns.get(name);
  }

  /** The column {@code name}; it is an error if there is none. */
  public double[] column(String name) {
    return Objects.requireNonNull(columns.get(name), () -> "no column " + name);
  }

  /** This input with one column more, or replaced. */
  public LossInput withColumn(String name, double[] column) {
    Map<String, double[]> more = new LinkedHashMap<>(columns);
    more.put(name, column);
    return new LossInput(
        offsets,
        turns,
        mask,
        logProbs,
        entropies,
        oldLogProbs,
        advantages,
        more,
        settings,
        denominators);
  }

  /** This input with other entropies. */
  public LossInput withEntropies(double[] others) {
    return new LossInput(
        offsets,
        turns,
        mask,
        logProbs,
        others,
        oldLogProbs,
        advantages,
        columns,
        settings,
        denominators);
  }

  /** This input with other advantages. */
  public LossInput withAdvantages(double[] others) {
    return new LossInput(
        offsets,
        turns,
        mask,
        logProbs,
        entropies,
        oldLogProbs,
        others,
        columns,
        settings,
        denominators);
  }

  /** This input with other settings. */
  public LossInput withSettings(LossSettings others) {
    return new LossInput(
        offsets,
        turns,
        mask,
        logProbs,
        entropies,
        oldLogProbs,
        advantages,
        columns,
        others,
        denominators);
  }

  /** An input without samples: what a loss makes of it checks its options. */
  public static LossInput nothing(LossSettings settings) {
    double[][] none = {};
    return ofRows(none, none, new int[0][], none, settings)
        .withColumn(Batch.REFERENCE_LOG_PROBS, cells(none));
  }
}
