package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.testkit.RankFixtures;

/** Training and scoring with {@code sequence_sharing}, against without. */
class SharedPrefixesTest {
  private final Path folder;
  @AutoClose private final TinyModel model;
  private final RankFixtures runs;

  SharedPrefixesTest(@TempDir Path folder) throws IOException {
    this.folder = folder.resolve("model");
    this.model = new TinyModel(this.folder);
    this.runs = new RankFixtures("local_train", this.folder, TinyModel.VOCABULARY, 32);
  }

  private static SessionConfig shared(SessionConfig plain) {
    return new SessionConfig(
        RankFixtures.sharing(plain.worker()), plain.seed(), 1.0, plain.sequenceLength());
  }

  private SessionConfig adapted(double dropout) {
    LoraConfig lora = new LoraConfig(4, 8, dropout, List.of("all-linear"));
    ModelConfig adapted = ModelConfig.of(folder, Dtype.FP32).withLora(lora);
    return model.config(adapted, 4, Map.of(), 32);
  }

  private SessionConfig config(Dtype dtype, int lanes) {
    return model.config(dtype, 4, Map.of("parallel_micro_batches", lanes), 32);
  }

  private void assertRoundingOnly(SessionConfig config, double tolerance) {
    TokenBatch batch = runs.groups(1);
    try (TrainSession plain = model.strategy().open(config);
        TrainSession shared = model.strategy().open(shared(config))) {
      for (int step = 0; step < 2; step++) {
        assertArrayEquals(
            plain.score(batch).join().logProbs(), shared.score(batch).join().logProbs(), tolerance);
        UpdateReport expected = plain.update(batch, TinyModel.likelihood(batch)).join();
        UpdateReport report = shared.update(batch, TinyModel.likelihood(batch)).join();
        assertEquals(expected.gradNorm(), report.gradNorm(), tolerance * expected.gradNorm());
        assertEquals(0, expected.sharedTokens());
        assertTrue(report.sharedTokens() > 0.4, () -> "shared " + report.sharedTokens());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"FP32, 1, 1e-5", "FP32, 2, 1e-5", "BF16, 1, 0.05"})
  void sharingChangesOnlyTheRounding(Dtype dtype, int lanes, double tolerance) {
    assertRoundingOnly(config(dtype, lanes), tolerance);
  }

  @Test
  void adaptersShareToo() {
    assertRoundingOnly(adapted(0), 1e-5);
  }

  /** Dropout differs between samples, so that nothing is shared in training. */
  @Test
  void dropoutExcludesSharing() {
    assertSameBits(adapted(0.5), runs.groups(1));
  }

  /** Samples that have nothing in common train as without sharing, bit for bit. */
  @ParameterizedTest
  @CsvSource({"FP32, 1", "BF16, 2"})
  void nothingInCommonChangesNothing(Dtype dtype, int lanes) {
    assertSameBits(config(dtype, lanes), TinyModel.batch(0));
  }

  private void assertSameBits(SessionConfig config, TokenBatch batch) {
    try (TrainSession plain = model.strategy().open(config);
        TrainSession shared = model.strategy().open(shared(config))) {
      for (int step = 0; step < 2; step++) {
        UpdateReport expected = plain.update(batch, TinyModel.likelihood(batch)).join();
        UpdateReport report = shared.update(batch, TinyModel.likelihood(batch)).join();
        assertEquals(expected.gradNorm(), report.gradNorm());
        assertEquals(0, report.sharedTokens());
      }
      TokenBatch other = TinyModel.batch(7);
      assertArrayEquals(
          plain.score(other).join().logProbs(), shared.score(other).join().logProbs());
    }
  }
}
