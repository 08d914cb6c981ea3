package roll.api.loss;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Sums by name, first within each sample and then over the samples, so that parts of one sample
 * each add up to the whole bit for bit.
 */
final class Shares {
  private final List<String> names;
  private final double[] sample;
  private final double[] total;

  Shares(List<String> names) {
    this.names = names;
    this.sample = new double[names.size()];
    this.total = new double[names.size()];
  }

  /** Adds to the sample's sum number {@code index}. */
  void add(int index, double share) {
    sample[index] += share;
  }

  /** Ends a sample. */
  void endSample() {
    for (int k = 0; k < total.length; k++) {
      total[k] += sample[k];
    }
    Arrays.fill(sample, 0);
  }

  /** The sum number {@code index} over all samples that have ended. */
  double total(int index) {
    return total[index];
  }

  /** Puts all sums into {@code metrics}, in order. */
  void into(Map<String, Double> metrics) {
    for (int k = 0; k < total.length; k++) {
      metrics.put(names.get(k), total[k]);
    }
  }
}
