package roll.strategy.hf_infer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Sampling as transformers' logits warpers define it, in plain Java and double precision. */
final class ReferenceSampler {
  private ReferenceSampler() {}

  /** What each token is drawn with: temperature, then top-k, then top-p. */
  static double[] probabilities(float[] logits, double temperature, int topK, double topP) {
    double[] scores = new double[logits.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = logits[i] / temperature;
    }
    if (topK > 0 && topK < scores.length) {
      double[] sorted = scores.clone();
      Arrays.sort(sorted);
      double least = sorted[sorted.length - topK];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = scores[i] < least ? Double.NEGATIVE_INFINITY : scores[i];
      }
    }
    if (topP < 1) {
      keepNucleus(scores, topP);
    }
    return softmax(scores);
  }

  /** Removes the least likely tokens whose probabilities together are at most 1 − top-p. */
  private static void keepNucleus(double[] scores, double topP) {
    double[] probabilities = softmax(scores);
    int[] ascending =
        IntStream.range(0, scores.length)
            .boxed()
            .sorted(Comparator.comparing(i -> scores[i]))
            .mapToInt(i -> i)
            .toArray();
    double sum = 0;
    for (int rank = 0; rank < ascending.length - 1; rank++) {
      sum += probabilities[ascending[rank]];
      if (sum <= 1 - topP) {
        scores[ascending[rank]] = Double.NEGATIVE_INFINITY;
      }
    }
  }

  private static double[] softmax(double[] scores) {
    double most = Arrays.stream(scores).max().orElseThrow();
    double[] weights = Arrays.stream(scores).map(s -> Math.exp(s - most)).toArray();
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }
}
