package roll.shell.eval;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;

/** Estimates, 95 % intervals and paired tests of success. */
final class EvalStatistics {
  /** The 97.5 % quantile of the standard normal distribution. */
  private static final double Z = 1.959963984540054;

  private static final double TAIL = 0.025;
  private static final int DRAWS = 10_000;
  private static final long SEED = 42;

  /** Differences of sums that rounding may cause. */
  private static final double ROUNDING = 1e-9;

  private EvalStatistics() {}

  /**
   * A 95 % interval.
   *
   * @param low lower end
   * @param high upper end
   */
  record Interval(double low, double high) {}

  /**
   * Returns the unbiased estimate of pass@k for {@code c} successes in {@code n} samples of a task:
   * 1 − C(n − c, k) / C(n, k) as a product (Chen et al. 2021, arXiv:2107.03374, equation 1).
   *
   * @param k at most {@code n}
   */
  static double passAtK(int n, int c, int k) {
    if (n - c < k) {
      return 1;
    }
    double failing = 1;
    for (int i = n - c + 1; i <= n; i++) {
      failing *= 1 - (double) k / i;
    }
    return 1 - failing;
  }

  /** Returns the score interval of a share of {@code n} (Wilson 1927). */
  static Interval wilson(int successes, int n) {
    double share = (double) successes / n;
    double square = Z * Z / n;
    double center = share + square / 2;
    double half = Z * Math.sqrt(share * (1 - share) / n + square / (4 * n));
    return new Interval(
        Math.max(0, (center - half) / (1 + square)), Math.min(1, (center + half) / (1 + square)));
  }

  /**
   * Returns the percentile bootstrap interval of the mean of {@code values} (Efron 1979), from
   * draws with a fixed seed.
   */
  static Interval bootstrap(double[] values) {
    RandomGenerator random = RandomStreams.of(SEED, "eval/bootstrap");
    double[] means = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      double sum = 0;
      for (int i = 0; i < values.length; i++) {
        sum += values[random.nextInt(values.length)];
      }
      means[draw] = sum / values.length;
    }
    Arrays.sort(means);
    int outside = (int) (TAIL * DRAWS);
    return new Interval(means[outside], means[DRAWS - 1 - outside]);
  }

  /**
   * Returns the two-sided p-value of McNemar's exact test: {@code b} and {@code c} tasks are solved
   * by one of the two models only, and binomial with probability 1/2 under the null hypothesis.
   */
  static double mcNemar(int b, int c) {
    int n = b + c;
    double log = -n * Math.log(2);
    double tail = Math.exp(log);
    for (int i = 1; i <= Math.min(b, c); i++) {
      log += Math.log((n - i + 1.0) / i);
      tail += Math.exp(log);
    }
    return Math.min(1, 2 * tail);
  }

  /**
   * Returns the two-sided p-value of a paired permutation test: the share of random sign changes of
   * {@code differences}, drawn with a fixed seed, whose sum is at least as far from 0.
   */
  static double signFlip(double[] differences) {
    RandomGenerator random = RandomStreams.of(SEED, "eval/sign");
    double observed = Math.abs(Arrays.stream(differences).sum()) - ROUNDING;
    int extreme = 1; // the observed signs are one of the draws
    for (int draw = 0; draw < DRAWS; draw++) {
      double sum = 0;
      for (double difference : differences) {
        sum += random.nextBoolean() ? difference : -difference;
      }
      extreme += Math.abs(sum) >= observed ? 1 : 0;
    }
    return extreme / (DRAWS + 1.0);
  }
}
