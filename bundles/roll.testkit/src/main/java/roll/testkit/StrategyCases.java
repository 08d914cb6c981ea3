package roll.testkit;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;

/** Batches and losses of {@link StrategyContract}. */
final class StrategyCases {
  private static final int SAMPLES = 6;
  private static final int LENGTH = 7;

  private StrategyCases() {}

  /** Returns random samples of different lengths; the second half of each is scored. */
  static TokenBatch batch(long seed, int vocabulary) {
    RandomGenerator random = RandomStreams.of(seed, "contract");
    int[] offsets = new int[SAMPLES + 1];
    for (int i = 0; i < SAMPLES; i++) {
      offsets[i + 1] = offsets[i] + 2 + random.nextInt(LENGTH);
    }
    int[] tokens = random.ints(offsets[SAMPLES], 0, vocabulary).toArray();
    boolean[] scored = new boolean[tokens.length];
    for (int i = 0; i < SAMPLES; i++) {
      Arrays.fill(scored, (offsets[i] + offsets[i + 1] + 1) / 2, offsets[i + 1], true);
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  /** Returns the loss with the mean of −log p over the scored tokens. */
  static LossFunction likelier(TokenBatch batch) {
    double share = 0;
    for (boolean one : batch.scored()) {
      share += one ? 1 : 0;
    }
    double slope = -1 / share;
    return (samples, scores) -> {
      double[] byLogProb = new double[scores.logProbs().length];
      for (int t = 0; t < byLogProb.length; t++) {
        byLogProb[t] = scores.logProbs()[t] == 0 ? 0 : slope;
      }
      return new Gradients(byLogProb, new double[byLogProb.length]);
    };
  }
}
