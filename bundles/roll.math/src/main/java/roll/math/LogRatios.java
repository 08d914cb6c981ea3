package roll.math;

import java.util.Arrays;
import roll.api.data.Layout;
import roll.api.loss.LossInput;

/** Log-ratios, and their means over turns and samples, the logarithms of geometric means. */
public final class LogRatios {
  /** Maximum magnitude of log-ratios, which are clamped so that exp never overflows (verl). */
  public static final double MAX_LOG_RATIO = 20;

  private LogRatios() {}

  /** Returns the log-ratios, log-prob minus old log-prob, by token; 0 outside the mask. */
  public static double[] logRatios(LossInput in) {
    double[] logProbs = in.policy().logProbs();
    double[] old = in.policy().oldLogProbs();
    return in.layout().column(t -> logProbs[t] - old[t]);
  }

  /**
   * Returns for each trained token the mean of {@code column} over the trained tokens of its turn.
   */
  public static double[] turnMeans(Layout layout, double[] column) {
    double[] means = new double[column.length];
    for (int i = 0; i < layout.samples(); i++) {
      int[] tokens = layout.policyTokens(i);
      int from = 0;
      while (from < tokens.length) {
        int to = turnEnd(layout.turns(), tokens, from);
        fill(Arrays.copyOfRange(tokens, from, to), column, means);
        from = to;
      }
    }
    return means;
  }

  /**
   * Returns for each trained token the mean of {@code column} over the trained tokens of its
   * sample.
   */
  public static double[] sampleMeans(Layout layout, double[] column) {
    double[] means = new double[column.length];
    for (int i = 0; i < layout.samples(); i++) {
      fill(layout.policyTokens(i), column, means);
    }
    return means;
  }

  /**
   * Returns for each trained token the sum of {@code column} over the trained tokens of its sample.
   */
  public static double[] sampleSums(Layout layout, double[] column) {
    return layout.spread(layout.sumBySample(column));
  }

  /**
   * Returns for each trained token the maximum of {@code column} over the trained tokens of its
   * sample.
   */
  public static double[] sampleMaxima(Layout layout, double[] column) {
    double[] maxima = new double[layout.samples()];
    for (int i = 0; i < maxima.length; i++) {
      maxima[i] = Double.NEGATIVE_INFINITY;
      for (int t : layout.policyTokens(i)) {
        maxima[i] = Math.max(maxima[i], column[t]);
      }
    }
    return layout.spread(maxima);
  }

  /**
   * Returns the ratios of log-ratios; consecutive equal ones, as of turns and samples, are computed
   * once.
   */
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

  /** Sets each of the tokens to their mean. */
  private static void fill(int[] tokens, double[] column, double[] means) {
    double sum = 0;
    for (int t : tokens) {
      sum += column[t];
    }
    for (int t : tokens) {
      means[t] = sum / tokens.length;
    }
  }

  /** Returns the first of {@code tokens} after {@code from} with another turn. */
  private static int turnEnd(int[] turns, int[] tokens, int from) {
    int to = from + 1;
    while (to < tokens.length && turns[tokens[to]] == turns[tokens[from]]) {
      to++;
    }
    return to;
  }
}
