package roll.strategy.megatron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.collectives.testkit.RankModels;
import roll.image.FolderImageProcessors;
import roll.model.qwen2.Qwen2Family;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.testkit.RankFixtures;
import roll.testkit.TinyQwenVl;

/** A model that sees: its tower is whole on every rank that has it. */
class ReplicatedTowerTest {
  private static final int SAMPLES = 4;

  @AutoClose private final RankModels sight;

  ReplicatedTowerTest(@TempDir Path folder) throws IOException {
    sight = new RankModels(TinyQwenVl.write(folder.resolve("model"), Tiny.RUNS.model()));
    sight.models().add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    sight.models().add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    sight.models().setImageProcessors(new FolderImageProcessors());
  }

  /** With moments of its own or shared out, and whatever is computed again. */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 1, true, full",
    "2, 1, 1, false, selective",
    "4, 1, 1, true, selective",
    "2, 2, 1, false, full",
    "4, 2, 2, true, selective"
  })
  void ranksLearnAsOneDeviceDoes(int ranks, int tensor, int stages, boolean shared, String again) {
    Map<String, Object> layout =
        Map.of("tensor_model_parallel_size", tensor, "pipeline_model_parallel_size", stages);
    Map<String, Object> options = new HashMap<>(layout);
    options.put("use_distributed_optimizer", shared);
    options.put("recompute_granularity", again);
    TokenBatch batch = batch();
    double[] before;
    double[] expected;
    try (TrainSession one = strategy().open(config(1, Map.of()))) {
      before = score(one, batch);
      assertTrue(one.update(batch, RankFixtures.likelihood(batch, 0.01)).join().gradNorm() > 0);
      expected = score(one, batch);
    }
    try (TrainSession session = strategy().open(config(ranks, options))) {
      assertArrayEquals(before, score(session, batch), 1e-4);
      session.update(batch, RankFixtures.likelihood(batch, 0.01)).join();
      assertArrayEquals(expected, score(session, batch), 1e-4);
    }
    MegatronScoringStrategy frozen = new MegatronScoringStrategy(sight.sharded());
    try (InferSession session = frozen.open(config(ranks, layout))) {
      assertArrayEquals(before, session.score(batch).join().logProbs(), 1e-4);
    }
    assertFalse(Arrays.equals(before, expected));
  }

  private MegatronTrainStrategy strategy() {
    return new MegatronTrainStrategy(sight.sharded());
  }

  private SessionConfig config(int ranks, Map<String, Object> options) {
    RankFixtures runs =
        new RankFixtures("megatron_train", sight.folder(), TinyQwenVl.VOCABULARY, 128);
    return RankFixtures.config(
        runs.worker("actor_train", ModelConfig.of(sight.folder(), Dtype.FP32), ranks, options));
  }

  private static double[] score(TrainSession session, TokenBatch batch) {
    return session.score(batch).join().logProbs();
  }

  /** Samples that all show one picture. */
  private static TokenBatch batch() {
    int[] prompt = TinyQwenVl.prompt();
    int[] offsets = new int[SAMPLES + 1];
    Arrays.setAll(offsets, i -> i * RankFixtures.LENGTH);
    int[] tokens = new int[offsets[SAMPLES]];
    Arrays.setAll(tokens, i -> i * 7 % 140);
    boolean[] scored = new boolean[tokens.length];
    for (int i = 0; i < SAMPLES; i++) {
      System.arraycopy(prompt, 0, tokens, offsets[i], prompt.length);
      Arrays.fill(scored, offsets[i] + prompt.length, offsets[i + 1], true);
    }
    Picture shown = TinyQwenVl.pictures().getFirst();
    return new TokenBatch(offsets, tokens, scored, Collections.nCopies(SAMPLES, List.of(shown)));
  }
}
