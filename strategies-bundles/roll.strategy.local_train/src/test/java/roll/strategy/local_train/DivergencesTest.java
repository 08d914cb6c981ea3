package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.scoring.Distributions;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.torch.model.InferenceWeights;

/**
 * Divergences against their definition: the log-prob of every word that may follow a prefix is
 * asked for by itself, of both models.
 */
class DivergencesTest {
  private static final int[] PREFIX = {3, 14, 15, 9, 2, 6};
  private static final double TOLERANCE = 2e-6;
  private static final int LENGTH = PREFIX.length + 1;

  @AutoClose private final TinyModel model;

  DivergencesTest(@TempDir Path folder) throws IOException {
    this.model = new TinyModel(folder.resolve("source"));
  }

  @Test
  void fromTheModelWithItsAdaptersOff() {
    LoraConfig lora = new LoraConfig(4, 8, 0, List.of("all-linear"));
    ModelConfig adapted = ModelConfig.of(model.folder, Dtype.FP32).withLora(lora);
    try (TrainSession session = model.strategy().open(model.config(adapted, 2, Map.of(), 32))) {
      Function<TokenBatch, Scores> base = batch -> session.scoreBase(batch).join();
      assertEquals(0, compare(session, null, base, TOLERANCE), 1e-6);
      TinyModel.step(session, TinyModel.batch(1));
      TinyModel.step(session, TinyModel.batch(2));
      assertTrue(compare(session, null, base, TOLERANCE) > 1e-4);
    }
  }

  /** Also from one in bf16, whose last product is here in the policy's format. */
  @ParameterizedTest
  @EnumSource(Dtype.class)
  void fromAFrozenModelOnTheSameDevice(Dtype dtype) {
    InferenceWeights frozen = model.serve(model.config(dtype, 2, Map.of(), 32));
    try (TrainSession session = model.open(Dtype.FP32, 2)) {
      TinyModel.step(session, TinyModel.batch(1));
      Distributions reference = model.compute(frozen::distributions);
      Function<TokenBatch, Scores> scoring = batch -> model.compute(() -> frozen.score(batch));
      double tolerance = dtype == Dtype.FP32 ? TOLERANCE : 1e-4;
      assertTrue(compare(session, reference, scoring, tolerance) > 1e-3);
    } finally {
      close(frozen);
    }
  }

  /** Samples of all lengths, a few at once, or each by itself as it is longer than a budget. */
  @Test
  void aSampleIsComparedAlikeAloneAndAmongOthers() {
    TokenBatch batch = TinyModel.batch(3);
    InferenceWeights frozen = model.serve(model.config(Dtype.FP32, 2, Map.of(), 32));
    Distributions reference = model.compute(frozen::distributions);
    try (TrainSession session = model.open(Dtype.FP32, 2);
        TrainSession budgeted = model.openByTokens(64, 8)) {
      TinyModel.step(session, TinyModel.batch(1));
      TinyModel.step(budgeted, TinyModel.batch(1));
      double[] together = session.divergences(batch, reference).join();
      assertArrayEquals(together, budgeted.divergences(batch, reference).join(), 1e-4);
      for (int i = 0; i < batch.samples(); i++) {
        double[] alone = session.divergences(batch.select(new int[] {i}), reference).join();
        int from = batch.offsets()[i];
        assertArrayEquals(
            Arrays.copyOfRange(together, from, from + alone.length), alone, TOLERANCE);
      }
      assertTrue(Arrays.stream(together).distinct().count() > batch.samples());
    } finally {
      close(frozen);
    }
  }

  @Test
  void aModelWithoutAdaptersHasNoBase() {
    try (TrainSession session = model.open(Dtype.FP32, 2)) {
      Throwable failure =
          assertThrows(
                  CompletionException.class,
                  () -> session.divergences(TinyModel.batch(1), null).join())
              .getCause();
      assertTrue(failure instanceof UnsupportedOperationException, () -> failure.toString());
    }
  }

  private void close(InferenceWeights frozen) {
    model.compute(
        () -> {
          frozen.close();
          return true;
        });
  }

  /** The divergence behind the prefix, after it was found to be what the log-probs give. */
  private static double compare(
      TrainSession session,
      @Nullable Distributions reference,
      Function<TokenBatch, Scores> ofReference,
      double tolerance) {
    double[] policy = ofWords(batch -> session.score(batch).join());
    double[] others = ofWords(ofReference);
    double expected = 0;
    for (int word = 0; word < policy.length; word++) {
      expected += Math.exp(policy[word]) * (policy[word] - others[word]);
    }
    double[] found = session.divergences(following(), reference).join();
    for (int word = 0; word < policy.length; word++) {
      int last = (word + 1) * LENGTH - 1;
      assertEquals(expected, found[last], tolerance, "whatever the word itself is");
      assertEquals(0, found[last - 1], "not scored");
    }
    return expected;
  }

  /** The log-prob of each word behind the prefix. */
  private static double[] ofWords(Function<TokenBatch, Scores> scoring) {
    double[] logProbs = scoring.apply(following()).logProbs();
    return IntStream.range(0, TinyModel.VOCABULARY)
        .mapToDouble(word -> logProbs[(word + 1) * LENGTH - 1])
        .toArray();
  }

  /** The prefix with each word behind it, which alone is scored. */
  private static TokenBatch following() {
    int words = TinyModel.VOCABULARY;
    int[] tokens = new int[words * LENGTH];
    boolean[] scored = new boolean[tokens.length];
    for (int word = 0; word < words; word++) {
      System.arraycopy(PREFIX, 0, tokens, word * LENGTH, PREFIX.length);
      tokens[(word + 1) * LENGTH - 1] = word;
      scored[(word + 1) * LENGTH - 1] = true;
    }
    int[] offsets = IntStream.rangeClosed(0, words).map(i -> i * LENGTH).toArray();
    return new TokenBatch(offsets, tokens, scored);
  }
}
