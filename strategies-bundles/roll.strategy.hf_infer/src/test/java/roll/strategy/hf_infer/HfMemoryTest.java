package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.SmallDecoder.SPEC;
import static roll.testkit.SmallDecoder.WEIGHTS;
import static roll.testkit.SmallDecoder.config;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationEstimate;
import roll.testkit.FakeImageProcessor;

class HfMemoryTest {
  /** Keys and values of 3 sequences of 50 tokens, 4 layers and a head of 6, in f32. */
  private static final long BATCH = 3 * 50 * 2 * 4 * 6 * 4;

  @Test
  void aPolicyKeepsTheCacheOfItsLastCall() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16), false);
    SessionConfig config = config("actor_infer", Dtype.FP32, 0);
    ActivationEstimate need = new ActivationEstimate(SPEC, Dtype.FP32);
    assertEquals(
        Map.of(
            MemoryKind.PARAMETERS, 4 * WEIGHTS,
            MemoryKind.KV_CACHE, 2 * BATCH,
            MemoryKind.ACTIVATIONS, need.scoring(16)),
        memory.expected(config, SessionActivity.GENERATE));
    assertEquals(
        Map.of(
            MemoryKind.PARAMETERS,
            4 * WEIGHTS,
            MemoryKind.KV_CACHE,
            BATCH,
            MemoryKind.ACTIVATIONS,
            0L),
        memory.expected(config, SessionActivity.REST));
    Map<MemoryKind, Long> without =
        new HfMemory(SPEC, new GenerationSettings(false, 16), false)
            .expected(config, SessionActivity.GENERATE);
    assertEquals(BATCH, without.get(MemoryKind.KV_CACHE));
  }

  /** 12 numbers in f32 for each of the 50 tokens of 3 sequences; a reference keeps none. */
  @Test
  void hiddenStatesOfPicturesAreCountedWithTheCache() {
    GenerationSettings settings = new GenerationSettings(false, 16);
    HfMemory seeing = new HfMemory(SPEC.seeing(FakeImageProcessor.VISION), settings, false);
    SessionConfig config = config("actor_infer", Dtype.FP32, 0);
    assertEquals(
        BATCH + 4 * 12 * 50 * 3,
        seeing.expected(config, SessionActivity.GENERATE).get(MemoryKind.KV_CACHE));
    assertEquals(
        0,
        seeing
            .expected(config("reference", Dtype.FP32, 0), SessionActivity.SCORE)
            .get(MemoryKind.KV_CACHE));
  }

  @Test
  void aReferenceScores() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16), false);
    ActivationEstimate need = new ActivationEstimate(SPEC, Dtype.BF16);
    assertEquals(
        Map.of(
            MemoryKind.PARAMETERS,
            2 * WEIGHTS,
            MemoryKind.KV_CACHE,
            0L,
            MemoryKind.ACTIVATIONS,
            need.scoring(3 * 50)),
        memory.expected(config("reference", Dtype.BF16, 0), SessionActivity.SCORE));
    assertEquals(
        need.scoring(70),
        memory
            .expected(config("reference", Dtype.BF16, 70), SessionActivity.SCORE)
            .get(MemoryKind.ACTIVATIONS));
  }

  /** There is an f32 copy of the head, 10 · 12 weights. */
  @Test
  void wideLogitsReadACopyOfTheHead() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16), false);
    ModelConfig wide =
        new ModelConfig(
            Path.of("m"), Dtype.BF16, List.of(), true, true, null, null, true, 1, false);
    Map<MemoryKind, Long> bytes =
        memory.expected(config("actor_infer", wide, 0), SessionActivity.REST);
    assertEquals(2 * WEIGHTS + 4 * 120, bytes.get(MemoryKind.PARAMETERS));
  }

  @Test
  void weightsThatTheMachineCannotHoldAreRefused() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16), false);
    WorkerConfig wide = config("actor_infer", Dtype.FP32, 0).worker();
    memory.requireWeights(wide, 4 * WEIGHTS);
    assertEquals(
        "actor_infer: model takes 19.36 KiB with dtype fp32, this machine has 19.36 KiB of"
            + " memory; with dtype bf16 it takes 9.68 KiB",
        refused(memory, wide, 4 * WEIGHTS - 1));
    WorkerConfig narrow = config("actor_infer", Dtype.BF16, 0).worker();
    memory.requireWeights(narrow, 2 * WEIGHTS);
    assertEquals(
        "actor_infer: model takes 9.68 KiB with dtype bf16, this machine has 9.68 KiB of"
            + " memory",
        refused(memory, narrow, 2 * WEIGHTS - 1));
  }

  private static String refused(HfMemory memory, WorkerConfig worker, long machine) {
    return userError(() -> memory.requireWeights(worker, machine));
  }
}
