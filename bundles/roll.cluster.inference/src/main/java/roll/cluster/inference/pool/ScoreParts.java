package roll.cluster.inference.pool;

import java.util.Arrays;
import java.util.List;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/** Parts of a batch that are scored apart, and their scores put together in order. */
final class ScoreParts {
  private ScoreParts() {}

  /** The samples {@code numbers} of {@code batch}. */
  static TokenBatch select(TokenBatch batch, int[] numbers) {
    int[] offsets = new int[numbers.length + 1];
    for (int i = 0; i < numbers.length; i++) {
      offsets[i + 1] = offsets[i] + length(batch, numbers[i]);
    }
    int[] tokens = new int[offsets[numbers.length]];
    boolean[] scored = new boolean[tokens.length];
    for (int i = 0; i < numbers.length; i++) {
      int from = batch.offsets()[numbers[i]];
      System.arraycopy(batch.tokens(), from, tokens, offsets[i], length(batch, numbers[i]));
      System.arraycopy(batch.scored(), from, scored, offsets[i], length(batch, numbers[i]));
    }
    return new TokenBatch(
        offsets,
        tokens,
        scored,
        batch.pictures().isEmpty()
            ? List.of()
            : Arrays.stream(numbers).mapToObj(batch::pictures).toList());
  }

  private static int length(TokenBatch batch, int sample) {
    return batch.offsets()[sample + 1] - batch.offsets()[sample];
  }

  /** The scores of {@code batch}: those of its parts, and 0 for samples that are in none. */
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
