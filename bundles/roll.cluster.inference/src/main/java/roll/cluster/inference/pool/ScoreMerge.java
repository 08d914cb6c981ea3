package roll.cluster.inference.pool;

import java.util.List;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/** Merges the scores of parts of a batch. */
final class ScoreMerge {
  private ScoreMerge() {}

  private static int length(TokenBatch batch, int sample) {
    return batch.offsets()[sample + 1] - batch.offsets()[sample];
  }

  /** Returns the scores of {@code batch}: those of its parts, and 0 for samples in no part. */
  static Scores join(TokenBatch batch, List<int[]> parts, List<Scores> scores) {
    int size = batch.tokens().length;
    boolean squares = scores.stream().allMatch(part -> part.sumPiSquared().length > 0);
    double[] logProbs = new double[size];
    double[] entropies = new double[size];
    double[] sums = new double[squares && !scores.isEmpty() ? size : 0];
    for (int i = 0; i < parts.size(); i++) {
      int at = 0;
      for (int sample : parts.get(i)) {
        int to = batch.offsets()[sample];
        int length = length(batch, sample);
        System.arraycopy(scores.get(i).logProbs(), at, logProbs, to, length);
        System.arraycopy(scores.get(i).entropies(), at, entropies, to, length);
        if (sums.length > 0) {
          System.arraycopy(scores.get(i).sumPiSquared(), at, sums, to, length);
        }
        at += length;
      }
    }
    return new Scores(logProbs, entropies, sums);
  }
}
