package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import roll.api.option.UserException;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationNeed;
import roll.testkit.GridProcessor;
import roll.testkit.TestOptions;

class HfMemoryTest {
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

  /** Keys and values of 3 sequences of 50 tokens, 4 layers and a head of 6, in f32. */
  private static final long BATCH = 3 * 50 * 2 * 4 * 6 * 4;

  @Test
  void aPolicyKeepsTheCacheOfItsLastCall() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16));
    SessionConfig config = config("actor_infer", Dtype.FP32, 0);
    ActivationNeed need = new ActivationNeed(SPEC, Dtype.FP32);
    assertEquals(
        Map.of(
            StateKind.PARAMETERS, 4 * WEIGHTS,
            StateKind.KV_CACHE, 2 * BATCH,
            StateKind.ACTIVATIONS, need.scoring(16)),
        memory.expected(config, Activity.GENERATE));
    assertEquals(
        Map.of(
            StateKind.PARAMETERS,
            4 * WEIGHTS,
            StateKind.KV_CACHE,
            BATCH,
            StateKind.ACTIVATIONS,
            0L),
        memory.expected(config, Activity.REST));
    Map<StateKind, Long> without =
        new HfMemory(SPEC, new GenerationSettings(false, 16)).expected(config, Activity.GENERATE);
    assertEquals(BATCH, without.get(StateKind.KV_CACHE));
  }

  /** 12 numbers in f32 for each of the 50 tokens of 3 sequences; a reference keeps none. */
  @Test
  void hiddenStatesOfPicturesAreCountedWithTheCache() {
    GenerationSettings settings = new GenerationSettings(false, 16);
    HfMemory seeing = new HfMemory(SPEC.seeing(GridProcessor.VISION), settings);
    SessionConfig config = config("actor_infer", Dtype.FP32, 0);
    assertEquals(
        BATCH + 4 * 12 * 50 * 3,
        seeing.expected(config, Activity.GENERATE).get(StateKind.KV_CACHE));
    assertEquals(
        0,
        seeing
            .expected(config("reference", Dtype.FP32, 0), Activity.SCORE)
            .get(StateKind.KV_CACHE));
  }

  @Test
  void aReferenceScores() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16));
    ActivationNeed need = new ActivationNeed(SPEC, Dtype.BF16);
    assertEquals(
        Map.of(
            StateKind.PARAMETERS,
            2 * WEIGHTS,
            StateKind.KV_CACHE,
            0L,
            StateKind.ACTIVATIONS,
            need.scoring(3 * 50)),
        memory.expected(config("reference", Dtype.BF16, 0), Activity.SCORE));
    assertEquals(
        need.scoring(70),
        memory
            .expected(config("reference", Dtype.BF16, 70), Activity.SCORE)
            .get(StateKind.ACTIVATIONS));
  }

  /** The head, 10 · 12 weights, is there once more in f32. */
  @Test
  void wideLogitsReadACopyOfTheHead() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16));
    SessionConfig narrow = config("actor_infer", Dtype.BF16, 0);
    WorkerConfig worker = narrow.worker();
    ModelConfig wide =
        new ModelConfig(Path.of("m"), Dtype.BF16, List.of(), true, true, null, null, true);
    WorkerConfig widened =
        new WorkerConfig(
            worker.role(),
            wide,
            worker.template(),
            worker.strategy(),
            worker.strategyOptions(),
            worker.training(),
            worker.devices(),
            worker.inferBatchSize());
    Map<StateKind, Long> bytes =
        memory.expected(new SessionConfig(widened, 1, 1.0, 50, true, 0), Activity.REST);
    assertEquals(2 * WEIGHTS + 4 * 120, bytes.get(StateKind.PARAMETERS));
  }

  @Test
  void weightsThatTheMachineCannotHoldAreRefused() {
    HfMemory memory = new HfMemory(SPEC, new GenerationSettings(true, 16));
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
    return assertThrows(UserException.class, () -> memory.requireWeights(worker, machine))
        .getMessage();
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
