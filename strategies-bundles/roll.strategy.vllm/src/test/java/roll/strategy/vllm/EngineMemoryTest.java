package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.config.ModelConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.Activity;
import roll.api.memory.StateKind;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationNeed;
import roll.testkit.GridProcessor;
import roll.testkit.TestOptions;

class EngineMemoryTest {
  /** 4 layers of width 12, two heads of 6 that share keys and values, feed-forward 20, 10 words. */
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "test",
          10,
          12,
          20,
          4,
          new Attention(2, 1, 6),
          Rope.standard(10_000, 6),
          64,
          1e-6,
          Set.of(),
          0.02);

  private static final long WEIGHTS = 120 + 4 * 1176 + 12 + 120;

  /** 10 blocks of 16 tokens, keys and values of 4 layers and a head of 6, in f32; in rows too. */
  private static final long CACHE = 10 * 16 * 2 * 4 * 6 * 4;

  private static EngineMemory memory(int sleepLevel) {
    return memory(sleepLevel, WeightFormat.PLAIN);
  }

  private static EngineMemory memory(int sleepLevel, WeightFormat weights) {
    return new EngineMemory(
        SPEC, new EngineSettings(16, 10, 20, 8, 50, true, Dtype.FP32, true, sleepLevel, weights));
  }

  /** Four layers of 4 × 12 × 12 (k and v 12 × 6) and 3 × 12 × 20, and a head of 10 × 12. */
  @Test
  void reorderedWeightsAreThereWhileItIsAwake() {
    SessionConfig config = config("actor_infer", Dtype.BF16, 0);
    long copies = 2 * (4 * (2 * 12 * 12 + 2 * 12 * 6 + 3 * 12 * 20) + 10 * 12);
    long[] held = {2 * WEIGHTS + copies, 2 * WEIGHTS, 0};
    for (int level = 0; level < 3; level++) {
      assertEquals(
          held[level],
          memory(level, WeightFormat.REORDERED)
              .expected(config, Activity.REST)
              .get(StateKind.PARAMETERS));
      assertEquals(
          2 * WEIGHTS + copies,
          memory(level, WeightFormat.REORDERED)
              .expected(config, Activity.GENERATE)
              .get(StateKind.PARAMETERS));
    }
  }

  /** 12 numbers in f32 for each of the 50 tokens of 8 sequences, until it sleeps. */
  @Test
  void hiddenStatesOfPicturesAreCountedWithTheCache() {
    SessionConfig config = config("actor_infer", Dtype.FP32, 0);
    EngineMemory blind = memory(1);
    EngineMemory seeing = new EngineMemory(SPEC.seeing(GridProcessor.VISION), blind.settings());
    assertEquals(
        4 * 12 * 50 * 8,
        seeing.expected(config, Activity.GENERATE).get(StateKind.KV_CACHE)
            - blind.expected(config, Activity.GENERATE).get(StateKind.KV_CACHE));
    assertEquals(0, seeing.expected(config, Activity.REST).get(StateKind.KV_CACHE));
  }

  /** A byte for each weight of the layers, and two for each of their output channels. */
  @Test
  void weightsOf8BitsAreCountedToo() {
    SessionConfig config = config("actor_infer", Dtype.BF16, 0);
    long layers = 4 * (2 * 12 * 12 + 2 * 12 * 6 + 3 * 12 * 20);
    long scales = 2 * 4 * (2 * 12 + 2 * 6 + 2 * 20 + 12);
    assertEquals(
        2 * WEIGHTS + 2 * (layers + 10 * 12) + layers + scales,
        memory(1, WeightFormat.INT8).expected(config, Activity.GENERATE).get(StateKind.PARAMETERS));
  }

  @Test
  void sleepFreesTheCacheAndThenTheWeights() {
    SessionConfig config = config("actor_infer", Dtype.BF16, 0);
    long all = CACHE + CACHE / 2; // rows are bf16
    long[] caches = {all, 0, 0};
    long[] weights = {2 * WEIGHTS, 2 * WEIGHTS, 0};
    for (int level = 0; level < 3; level++) {
      assertEquals(
          Map.of(
              StateKind.PARAMETERS, weights[level],
              StateKind.KV_CACHE, caches[level],
              StateKind.ACTIVATIONS, 0L),
          memory(level).expected(config, Activity.REST));
    }
    assertEquals(
        Map.of(
            StateKind.PARAMETERS,
            2 * WEIGHTS,
            StateKind.KV_CACHE,
            all,
            StateKind.ACTIVATIONS,
            new ActivationNeed(SPEC, Dtype.BF16).scoring(20)),
        memory(2).expected(config, Activity.GENERATE));
    assertEquals(
        new ActivationNeed(SPEC, Dtype.BF16).scoring(70),
        memory(1)
            .expected(config("actor_infer", Dtype.BF16, 70), Activity.SCORE)
            .get(StateKind.ACTIVATIONS));
  }

  @Test
  void whoSamplesAheadOfTrainingDoesNotSleep() {
    SessionConfig ahead =
        new SessionConfig(config("actor_infer", Dtype.FP32, 0).worker(), 1, 1, 50);
    assertEquals(2 * CACHE, memory(2).expected(ahead, Activity.REST).get(StateKind.KV_CACHE));
  }

  /** Samples of at most 50 tokens, 3 scored and 2 trained at once. */
  private static SessionConfig config(String role, Dtype dtype, int budget) {
    TrainingConfig training = new TrainingConfig(0, 0, 0.9, 0.999, 2, 4, "constant", 0, 1);
    ModelConfig model = ModelConfig.of(Path.of("model"), dtype);
    WorkerConfig worker =
        new WorkerConfig(
            role,
            model,
            "native",
            "x",
            TestOptions.strategy(role, Map.of()),
            training,
            List.of(),
            3,
            new TokenBudgets(budget, budget));
    return new SessionConfig(worker, 1, 1.0, 50, true, 0);
  }
}
