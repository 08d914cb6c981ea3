package roll.math;

import roll.api.loss.LossInput;

/** Log-ratios, and means of them over turns and samples: logarithms of geometric means. */
public final class Ratios {
  /** Beyond this log-ratio a ratio is held, so that exp never overflows (verl). */
  public static final double MAX_LOG_RATIO = 20;

  private Ratios() {}

  /** Log-prob minus old log-prob by cell, 0 outside the mask. */
  public static double[] drifts(LossInput in) {
    double[] drifts = new double[in.mask().length];
    for (int t = 0; t < drifts.length; t++) {
      drifts[t] = in.mask()[t] ? in.logProbs()[t] - in.oldLogProbs()[t] : 0;
    }
    return drifts;
  }

  /** Each trained token's mean of {@code column} over the trained tokens of its turn. */
  public static double[] turnMeans(int[] offsets, int[] turns, boolean[] mask, double[] column) {
    double[] means = new double[column.length];
    for (int i = 0; i + 1 < offsets.length; i++) {
      int from = offsets[i];
      while (from < offsets[i + 1]) {
        int to = turnEnd(turns, mask, from, offsets[i + 1]);
        fill(mask, column, from, to, true, means);
        from = to;
      }
    }
    return means;
  }

  /** Each trained token's mean of {@code column} over the trained tokens of its sample. */
  public static double[] sampleMeans(int[] offsets, boolean[] mask, double[] column) {
    double[] means = new double[column.length];
    for (int i = 0; i + 1 < offsets.length; i++) {
      fill(mask, column, offsets[i], offsets[i + 1], true, means);
    }
    return means;
  }

  /** Each trained token's sum of {@code column} over the trained tokens of its sample. */
  public static double[] sampleSums(int[] offsets, boolean[] mask, double[] column) {
    double[] sums = new double[column.length];
    for (int i = 0; i + 1 < offsets.length; i++) {
      fill(mask, column, offsets[i], offsets[i + 1], false, sums);
    }
    return sums;
  }

  /** Each trained token's largest of {@code column} over the trained tokens of its sample. */
  public static double[] sampleMaxima(int[] offsets, boolean[] mask, double[] column) {
    double[] maxima = new double[column.length];
    for (int i = 0; i + 1 < offsets.length; i++) {
      double largest = Double.NEGATIVE_INFINITY;
      for (int t = offsets[i]; t < offsets[i + 1]; t++) {
        largest = mask[t] ? Math.max(largest, column[t]) : largest;
      }
      for (int t = offsets[i]; t < offsets[i + 1]; t++) {
        maxima[t] = mask[t] ? largest : 0;
      }
    }
    return maxima;
  }

  /** The ratios of log-ratios; those of turns and samples stand together and are computed once. */
  public static double[] exponentials(double[] logRatios) {
    double[] ratios = new double[logRatios.length];
    for (int t = 0; t < ratios.length; t++) {
      ratios[t] =
          t > 0 && logRatios[t] == logRatios[t - 1] ? ratios[t - 1] : exponential(logRatios[t]);
    }
    return ratios;
  }

  static double exponential(double logRatio) {
    return Math.exp(Math.clamp(logRatio, -MAX_LOG_RATIO, MAX_LOG_RATIO));
  }

  private static void fill(
      boolean[] mask, double[] column, int from, int to, boolean mean, double[] filled) {
    double sum = 0;
    int count = 0;
    for (int t = from; t < to; t++) {
      if (mask[t]) {
        sum += column[t];
        count++;
      }
    }
    for (int t = from; t < to; t++) {
      filled[t] = !mask[t] ? 0 : mean ? sum / count : sum;
    }
  }

  /** The first cell after {@code from} that is trained in another turn than the first trained. */
  private static int turnEnd(int[] turns, boolean[] mask, int from, int end) {
    int turn = -1;
    for (int t = from; t < end; t++) {
      if (mask[t]) {
        if (turn >= 0 && turns[t] != turn) {
          return t;
        }
        turn = turns[t];
      }
    }
    return end;
  }
}
