package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.testkit.ReferenceLayers;
import roll.testkit.TestOptions;

/** Sessions with a random model, and what they say of {@link #TOKENS}. */
final class Sessions {
  private Sessions() {}

  /** A random text. */
  static final int[] TOKENS =
      RandomStreams.of(7, "tokens").ints(48, 0, RandomModel.VOCABULARY).toArray();

  /** A session with the model in the folder of {@code model}. */
  static InferSession session(RandomModel model, Dtype dtype) {
    return session(model, model.folder, dtype);
  }

  /** A session with the model in {@code folder}. */
  static InferSession session(RandomModel model, Path folder, Dtype dtype) {
    return session(model, folder, dtype, List.of());
  }

  /** A session on some of two devices. */
  static InferSession session(RandomModel model, Path folder, Dtype dtype, List<Integer> devices) {
    return open(model, ModelConfig.of(folder, dtype), devices, 2, Map.of());
  }

  /** A session on some of {@code count} devices. */
  static InferSession open(
      RandomModel model,
      ModelConfig config,
      List<Integer> devices,
      int count,
      Map<String, Object> options) {
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            config,
            "native",
            "hf_infer",
            TestOptions.strategy("actor_infer", options),
            TrainingConfig.NONE,
            devices,
            4);
    return new HfInferStrategy(model.models, model.tokenizers)
        .open(new SessionConfig(worker, 1, 1.0, 64, true, count));
  }

  /** Scores of {@link #TOKENS}. */
  static Scores score(InferSession session) {
    return session.score(batch()).join();
  }

  /** {@link #TOKENS}, all scored but the first. */
  static TokenBatch batch() {
    boolean[] scored = new boolean[TOKENS.length];
    Arrays.fill(scored, 1, scored.length, true);
    return new TokenBatch(new int[] {0, TOKENS.length}, TOKENS, scored);
  }

  /** Scores of the tokens, against logits that were computed otherwise. */
  static void assertScored(double[][] logits, InferSession session) {
    Scores scores = score(session);
    for (int t = 1; t < TOKENS.length; t++) {
      double[] row = logits[t - 1];
      double sum = ReferenceLayers.logSum(row);
      double entropy = Arrays.stream(row).map(x -> (sum - x) * Math.exp(x - sum)).sum();
      assertEquals(row[TOKENS[t]] - sum, scores.logProbs()[t], 1e-4);
      assertEquals(entropy, scores.entropies()[t], 1e-4);
    }
  }

  /** Two turns, the second over the cache of the first. */
  static void assertGenerated(RandomModel model, InferSession session) {
    int[] text = Arrays.copyOf(TOKENS, 9);
    for (int turn = 0; turn < 2; turn++) {
      GenerationRequest request = new GenerationRequest(text, Sampling.of(20), List.of(), turn);
      Generation answer = session.generate(List.of(request)).join().getFirst();
      int[] all = IntStream.concat(Arrays.stream(text), Arrays.stream(answer.tokens())).toArray();
      double[][] logits = model.reference().logits(all);
      for (int i = 0; i < answer.tokens().length; i++) {
        double[] row = logits[text.length + i - 1];
        double expected = row[answer.tokens()[i]] - ReferenceLayers.logSum(row);
        assertEquals(expected, answer.logProbs()[i], 1e-4);
      }
      text = all;
    }
  }
}
