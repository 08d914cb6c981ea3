package roll.api.loss;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * What losses need that choose among the tokens of an optimizer batch. Nothing here depends on the
 * order of the samples, not even the last bit.
 */
public final class Surveys {
  private Surveys() {}

  /**
   * {@code (A − mean A)(ℓ − mean ℓ)} by cell, means over all trained tokens; 0 outside the mask
   * (Cui et al. 2025, arXiv:2505.22617, eq. 11).
   */
  public static double[] covariances(LossInput whole) {
    double advantage = mean(whole.mask(), whole.advantages());
    double logProb = mean(whole.mask(), whole.logProbs());
    double[] covariances = new double[whole.mask().length];
    for (int t = 0; t < covariances.length; t++) {
      if (whole.mask()[t]) {
        covariances[t] = (whole.advantages()[t] - advantage) * (whole.logProbs()[t] - logProb);
      }
    }
    return covariances;
  }

  /**
   * Marks with 1 the trained tokens whose {@code score} is among the {@code count} largest; NaN is
   * never chosen, and equal scores are told apart by {@link #random}.
   *
   * @param score by cell
   * @param keys as {@link PolicyLoss#survey} has them
   */
  public static double[] largest(LossInput whole, int count, double[] score, long[] keys) {
    double[] draws = random(whole, keys);
    Comparator<Integer> order =
        Comparator.<Integer>comparingDouble(t -> score[t]).thenComparingDouble(t -> draws[t]);
    PriorityQueue<Integer> chosen = new PriorityQueue<>(order);
    for (int t = 0; t < score.length; t++) {
      if (!whole.mask()[t] || Double.isNaN(score[t])) {
        continue;
      }
      Integer least = chosen.peek();
      if (chosen.size() < count) {
        chosen.add(t);
      } else if (least != null && score[t] >= score[least] && order.compare(t, least) > 0) {
        chosen.poll();
        chosen.add(t);
      }
    }
    double[] marks = new double[score.length];
    chosen.forEach(t -> marks[t] = 1);
    return marks;
  }

  /**
   * A number in [0, 1) for each trained token: a function of its sample's key and of how many
   * trained tokens of the sample stand before it. 0 outside the mask.
   */
  public static double[] random(LossInput whole, long[] keys) {
    double[] numbers = new double[whole.mask().length];
    for (int i = 0; i < whole.samples(); i++) {
      long state = keys[i];
      for (int t = whole.offsets()[i]; t < whole.offsets()[i + 1]; t++) {
        if (whole.mask()[t]) {
          state += 0x9E3779B97F4A7C15L; // SplitMix64 (Steele et al. 2014)
          numbers[t] = (mixed(state) >>> 11) * 0x1p-53;
        }
      }
    }
    return numbers;
  }

  private static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * The mean of a column over the trained tokens, in fixed point: whole numbers may be added in any
   * order. The point stands where no sum can overflow.
   */
  private static double mean(boolean[] mask, double[] column) {
    double largest = 0;
    long count = 0;
    for (int t = 0; t < mask.length; t++) {
      if (mask[t]) {
        largest = Math.max(largest, Math.abs(column[t]));
        count++;
      }
    }
    if (largest == 0 || count == 0) {
      return 0;
    }
    int exponent = 61 - Math.getExponent(largest) - Math.getExponent((double) count) - 1;
    long sum = 0;
    for (int t = 0; t < mask.length; t++) {
      sum += mask[t] ? Math.round(Math.scalb(column[t], exponent)) : 0;
    }
    return Math.scalb((double) sum, -exponent) / count;
  }
}
