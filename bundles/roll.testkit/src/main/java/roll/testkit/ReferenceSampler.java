package roll.testkit;

import java.util.Arrays;
import java.util.Set;
import roll.api.strategy.Sampling;

/**
 * A reference of sampling in plain Java and double precision, as transformers' logits processors
 * define it.
 */
public final class ReferenceSampler {
  private static final double OUT = Double.NEGATIVE_INFINITY;

  private ReferenceSampler() {}

  /**
   * Returns the sampling probability of each token; at temperature 0 the first most likely one has
   * 1.
   *
   * @param logits logits of the full vocabulary at temperature 1
   * @param sampling temperature, filters, repetition penalty, bias and allowed ids
   * @param seen tokens with the repetition penalty
   * @param banned tokens that must not be sampled
   * @param allowed the only tokens that may be sampled; empty for any
   */
  public static double[] probabilities(
      float[] logits,
      Sampling sampling,
      Set<Integer> seen,
      Set<Integer> banned,
      Set<Integer> allowed) {
    double[] scores = new double[logits.length];
    Set<Integer> ids = Set.copyOf(sampling.allowedTokenIds());
    for (int token = 0; token < scores.length; token++) {
      double score = logits[token] + sampling.logitBias().getOrDefault(token, 0.0);
      if (seen.contains(token)) {
        double penalty = sampling.repetitionPenalty();
        score = score < 0 ? score * penalty : score / penalty;
      }
      boolean out =
          banned.contains(token)
              || (!allowed.isEmpty() && !allowed.contains(token))
              || (!ids.isEmpty() && !ids.contains(token));
      scores[token] = out ? OUT : score;
    }
    if (sampling.temperature() == 0) {
      return likeliest(scores);
    }
    for (int token = 0; token < scores.length; token++) {
      scores[token] /= sampling.temperature();
    }
    keepTopK(scores, sampling.topK());
    keepNucleus(scores, sampling.topP());
    double most = Arrays.stream(softmax(scores)).max().orElseThrow();
    double[] probabilities = softmax(scores);
    for (int token = 0; token < scores.length; token++) {
      if (probabilities[token] < sampling.minP() * most) {
        scores[token] = OUT;
      }
    }
    return softmax(scores);
  }

  private static double[] likeliest(double[] scores) {
    double most = Arrays.stream(scores).max().orElseThrow();
    double[] certain = new double[scores.length];
    int token = 0;
    while (scores[token] != most) {
      token++;
    }
    certain[token] = 1;
    return certain;
  }

  private static void keepTopK(double[] scores, int topK) {
    if (topK > 0 && topK < scores.length) {
      double[] sorted = scores.clone();
      Arrays.sort(sorted);
      drop(scores, sorted[sorted.length - topK]);
    }
  }

  /** Removes the least likely tokens whose probabilities together are at most 1 − top-p. */
  private static void keepNucleus(double[] scores, double topP) {
    if (topP == 1) {
      return;
    }
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    double[] probabilities = softmax(sorted);
    double sum = 0;
    for (int rank = 0; rank < sorted.length; rank++) {
      sum += probabilities[rank];
      if (sum > 1 - topP || rank == sorted.length - 1) {
        drop(scores, sorted[rank]);
        return;
      }
    }
  }

  /** Removes tokens less likely than {@code least}. */
  private static void drop(double[] scores, double least) {
    for (int token = 0; token < scores.length; token++) {
      scores[token] = scores[token] < least ? OUT : scores[token];
    }
  }

  private static double[] softmax(double[] scores) {
    double most = Arrays.stream(scores).max().orElseThrow();
    double[] weights = Arrays.stream(scores).map(s -> Math.exp(s - most)).toArray();
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }
}
