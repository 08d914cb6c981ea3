package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.TokenBatch;

/**
 * Compares the tokens of two engines. They may differ where rounding decides: between two equally
 * likely tokens, or if the random number is at the boundary of two tokens.
 *
 * @param judge scores the tokens of both
 * @param vocabulary size of the model's vocabulary
 */
record SameTokens(InferSession judge, int vocabulary) {
  /** Maximum rounding error of log-probs and probabilities. */
  private static final double ROUNDING = 1e-4;

  void check(GenerationRequest request, Generation expected, Generation found) {
    int[] one = expected.tokens();
    int[] other = found.tokens();
    assertEquals(one.length, other.length);
    int common = Arrays.mismatch(one, other);
    int same = common < 0 ? one.length : common;
    assertArrayEquals(
        Arrays.copyOf(expected.logProbs(), same), Arrays.copyOf(found.logProbs(), same), ROUNDING);
    if (common >= 0) {
      double[] logProbs = next(request.prompt(), Arrays.copyOf(one, common));
      if (request.sampling().temperature() == 0) {
        assertEquals(logProbs[one[common]], logProbs[other[common]], ROUNDING, "at " + common);
      } else {
        double uniform = RandomStreams.of(request.seed(), "sample", common).nextDouble();
        assertBetween(logProbs, one[common], other[common], uniform);
      }
    }
  }

  /** Fails unless the random number is at the boundary between two tokens. */
  private static void assertBetween(double[] logProbs, int one, int other, double uniform) {
    double end = 0;
    double between = 0;
    for (int word = 0; word < Math.max(one, other); word++) {
      double probability = Math.exp(logProbs[word]);
      if (word <= Math.min(one, other)) {
        end += probability;
      } else {
        between += probability;
      }
    }
    assertEquals(end, uniform, ROUNDING);
    assertTrue(between < ROUNDING, "words lie between " + one + " and " + other);
  }

  /** Returns the log-probs of the vocabulary after {@code prompt} and {@code written}. */
  private double[] next(int[] prompt, int[] written) {
    int length = prompt.length + written.length + 1;
    int[] offsets = new int[vocabulary + 1];
    int[] tokens = new int[vocabulary * length];
    boolean[] scored = new boolean[tokens.length];
    for (int word = 0; word < vocabulary; word++) {
      System.arraycopy(prompt, 0, tokens, word * length, prompt.length);
      System.arraycopy(written, 0, tokens, word * length + prompt.length, written.length);
      offsets[word + 1] = (word + 1) * length;
      tokens[offsets[word + 1] - 1] = word;
      scored[offsets[word + 1] - 1] = true;
    }
    double[] all = judge.score(new TokenBatch(offsets, tokens, scored)).join().logProbs();
    double[] words = new double[vocabulary];
    Arrays.setAll(words, word -> all[offsets[word + 1] - 1]);
    return words;
  }
}
