package roll.strategy.vllm.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.SmallDecoder.SPEC;
import static roll.testkit.SmallDecoder.WEIGHTS;
import static roll.testkit.SmallDecoder.config;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationEstimate;
import roll.testkit.FakeImageProcessor;

class EngineMemoryTest {
  /** 10 blocks of 16 tokens, keys and values of 4 layers and a head of 6, in f32; in rows too. */
  private static final long CACHE = 10 * 16 * 2 * 4 * 6 * 4;

  private static EngineMemory memory(int sleepLevel) {
    return memory(sleepLevel, WeightFormat.PLAIN);
  }

  private static EngineMemory memory(int sleepLevel, WeightFormat weights) {
    return new EngineMemory(
        SPEC,
        new EngineSettings(
            16,
            10,
            20,
            8,
            50,
            true,
            Dtype.FP32,
            true,
            sleepLevel,
            weights,
            true,
            null,
            EngineSettings.WeightUpdate.RECOMPUTE),
        false,
        0);
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
              .expected(config, SessionActivity.REST)
              .get(MemoryKind.PARAMETERS));
      assertEquals(
          2 * WEIGHTS + copies,
          memory(level, WeightFormat.REORDERED)
              .expected(config, SessionActivity.GENERATE)
              .get(MemoryKind.PARAMETERS));
    }
  }

  /** 12 numbers in f32 for each of the 50 tokens of 8 sequences, until it sleeps. */
  @Test
  void hiddenStatesOfPicturesAreCountedWithTheCache() {
    SessionConfig config = config("actor_infer", Dtype.FP32, 0);
    EngineMemory blind = memory(1);
    EngineMemory seeing =
        new EngineMemory(SPEC.seeing(FakeImageProcessor.VISION), blind.settings(), false, 0);
    assertEquals(
        4 * 12 * 50 * 8,
        seeing.expected(config, SessionActivity.GENERATE).get(MemoryKind.KV_CACHE)
            - blind.expected(config, SessionActivity.GENERATE).get(MemoryKind.KV_CACHE));
    assertEquals(0, seeing.expected(config, SessionActivity.REST).get(MemoryKind.KV_CACHE));
  }

  /** Graphs of 8 rows, which take the memory of the largest twice, until it sleeps. */
  @Test
  void graphsAreCountedWithTheCache() {
    SessionConfig config = config("actor_infer", Dtype.BF16, 0);
    EngineMemory eager = memory(1);
    EngineMemory recorded = new EngineMemory(SPEC, eager.settings(), true, 8);
    assertEquals(
        2 * (8L * SPEC.vocabulary() * 48 + new ActivationEstimate(SPEC, Dtype.BF16).layer(8)),
        recorded.expected(config, SessionActivity.GENERATE).get(MemoryKind.KV_CACHE)
            - eager.expected(config, SessionActivity.GENERATE).get(MemoryKind.KV_CACHE));
    assertEquals(0, recorded.expected(config, SessionActivity.REST).get(MemoryKind.KV_CACHE));
  }

  /** The chunks of the head are larger there. */
  @Test
  void aCardScoresItsOwnWay() {
    SessionConfig config = config("actor_infer", Dtype.BF16, 70);
    EngineMemory card = new EngineMemory(SPEC, memory(1).settings(), true, 0);
    assertEquals(
        new ActivationEstimate(SPEC, Dtype.BF16, true).scoring(70),
        card.expected(config, SessionActivity.SCORE).get(MemoryKind.ACTIVATIONS));
  }

  /** A byte for each weight of the layers, and two for each of their output channels. */
  @Test
  void weightsOf8BitsAreCountedToo() {
    SessionConfig config = config("actor_infer", Dtype.BF16, 0);
    long layers = 4 * (2 * 12 * 12 + 2 * 12 * 6 + 3 * 12 * 20);
    long scales = 2 * 4 * (2 * 12 + 2 * 6 + 2 * 20 + 12);
    assertEquals(
        2 * WEIGHTS + 2 * (layers + 10 * 12) + layers + scales,
        memory(1, WeightFormat.INT8)
            .expected(config, SessionActivity.GENERATE)
            .get(MemoryKind.PARAMETERS));
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
              MemoryKind.PARAMETERS, weights[level],
              MemoryKind.KV_CACHE, caches[level],
              MemoryKind.ACTIVATIONS, 0L),
          memory(level).expected(config, SessionActivity.REST));
    }
    assertEquals(
        Map.of(
            MemoryKind.PARAMETERS,
            2 * WEIGHTS,
            MemoryKind.KV_CACHE,
            all,
            MemoryKind.ACTIVATIONS,
            new ActivationEstimate(SPEC, Dtype.BF16).scoring(20)),
        memory(2).expected(config, SessionActivity.GENERATE));
    assertEquals(
        new ActivationEstimate(SPEC, Dtype.BF16).scoring(70),
        memory(1)
            .expected(config("actor_infer", Dtype.BF16, 70), SessionActivity.SCORE)
            .get(MemoryKind.ACTIVATIONS));
  }

  @Test
  void whoSamplesAheadOfTrainingDoesNotSleep() {
    SessionConfig ahead =
        new SessionConfig(config("actor_infer", Dtype.FP32, 0).worker(), 1, 1, 50);
    assertEquals(
        2 * CACHE, memory(2).expected(ahead, SessionActivity.REST).get(MemoryKind.KV_CACHE));
  }
}
