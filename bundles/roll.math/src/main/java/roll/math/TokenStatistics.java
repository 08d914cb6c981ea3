package roll.math;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntToDoubleFunction;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.PolicyLoss;

/**
 * Statistics over the tokens of an optimizer batch, for losses that select tokens. Results are
 * bit-for-bit independent of the order of the samples.
 */
public final class TokenStatistics {
  private TokenStatistics() {}

  /** A candidate token with its score and tie breaker. */
  private record Candidate(int cell, double score, long draw) {
    static final Candidate NONE = new Candidate(-1, Double.NEGATIVE_INFINITY, -1);
    static final Comparator<Candidate> ORDER =
        Comparator.comparingDouble(Candidate::score).thenComparingLong(Candidate::draw);

    /** Returns whether a candidate with these numbers ranks higher. */
    boolean isBelow(double otherScore, long otherDraw) {
      return otherScore > score || (otherScore == score && otherDraw > draw);
    }
  }

  /**
   * Returns {@code (A − mean A)(ℓ − mean ℓ)} of a trained token, with means over all trained tokens
   * (Cui et al. 2025, arXiv:2505.22617, eq. 11).
   */
  public static IntToDoubleFunction covariance(LossInput whole) {
    double[] advantages = whole.advantages();
    double[] logProbs = whole.policy().logProbs();
    double advantage = mean(whole, advantages);
    double logProb = mean(whole, logProbs);
    return t -> (advantages[t] - advantage) * (logProbs[t] - logProb);
  }

  /**
   * Marks with 1 the trained tokens with the {@code count} largest scores; NaN is never chosen.
   * Ties are broken by a random number, a function of the key of the sample and of the number of
   * its earlier trained tokens.
   *
   * @param score of a trained token
   * @param keys keys of {@link PolicyLoss#survey}
   */
  public static double[] largest(
      LossInput whole, int count, IntToDoubleFunction score, long[] keys) {
    PriorityQueue<Candidate> chosen = new PriorityQueue<>(Candidate.ORDER);
    Candidate least = Candidate.NONE;
    for (int i = 0; i < whole.samples(); i++) {
      long state = keys[i];
      for (int t : whole.layout().policyTokens(i)) {
        state += 0x9E3779B97F4A7C15L; // SplitMix64 (Steele et al. 2014)
        double own = score.applyAsDouble(t);
        if (own >= least.score && least.isBelow(own, mixed(state) >>> 11)) {
          chosen.add(new Candidate(t, own, mixed(state) >>> 11));
          if (chosen.size() > count) {
            chosen.remove();
          }
          least = chosen.size() < count ? Candidate.NONE : chosen.element();
        }
      }
    }
    double[] marks = new double[whole.layout().size()];
    chosen.forEach(candidate -> marks[candidate.cell] = 1);
    return marks;
  }

  private static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * Returns the mean of a column over the trained tokens: sums by sample, then these sums in sorted
   * order.
   */
  private static double mean(LossInput whole, double[] column) {
    double[] sums = whole.layout().sumBySample(column);
    long count = LossDenominators.of(whole.layout()).tokens();
    Arrays.sort(sums);
    return Arrays.stream(sums).sum() / Math.max(1, count);
  }
}
