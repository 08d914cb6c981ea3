package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.config.RewardConfig;
import roll.api.estimator.KlPenalty;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** {@code configs/guidelines_numinamath.yaml}: a run of verl's with its numbers. */
class GuidelinesTest {
  private static LoadedConfig load(Map<String, String> environment, String... overrides) {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("roll.root")));
    return new YamlConfigLoader(environment::get, ConfigFiles.LINES)
        .load(root.resolve("configs/guidelines_numinamath.yaml"), List.of(overrides));
  }

  /** 30 × 4 responses, 24 × 4 / 3 of them a mini-batch of a device, the last one 8. */
  @Test
  void theArithmeticIsThatOfTheReference() {
    Map<String, Long> derived = load(Map.of()).derived();
    assertEquals(120L, derived.get("responses_per_step"));
    assertEquals(40L, derived.get("responses_per_device"));
    assertEquals(32L, derived.get("mini_batch_per_device"));
    assertEquals(4L, derived.get("micro_batches"));
    assertEquals(8L, derived.get("last_mini_batch_per_device"));
    assertEquals(1L, derived.get("last_micro_batches"));
    assertEquals(2L, derived.get("updates_per_step"));
    assertEquals(96L, derived.get("effective_batch"));
    assertEquals(3L, derived.get("actor_infer_replicas"));
  }

  @Test
  void theKeysAreThoseOfTheReference() {
    RunConfig run = load(Map.of()).run();
    assertEquals("numinamath30k-3b-300steps-mathverify", run.expName());
    assertEquals(
        Path.of("checkpoints/query-conditioned-guidelines/numinamath30k-3b-300steps-mathverify"),
        run.outputDir());
    assertEquals(3, run.devices().count());
    assertEquals("fsdp2_train", run.roles().actorTrain().strategy());
    assertEquals("vllm", run.roles().actorInfer().strategy());
    assertEquals(6144, run.sequenceLength());
    assertEquals(3072, run.rollout().trainEnvs().sampling().maxNewTokens());
    assertEquals(25, run.schedule().checkpoints().saveSteps());
    assertEquals(50, run.schedule().validation().evalSteps());
    assertEquals(12, run.schedule().validation().batchSize());
    assertEquals(8, run.roles().actorTrain().inferBatchSize());
    assertEquals(4, Objects.requireNonNull(run.roles().reference()).inferBatchSize());
    assertEquals(0.001, run.algorithm().kl().initialCoefficient());
    assertTrue(run.algorithm().kl().inReward());
    assertEquals(0.001, run.algorithm().loss().klCoefficient());
    assertEquals(KlPenalty.K3, run.algorithm().loss().klPenalty());
    assertEquals(
        List.of(new RewardConfig("guideline", 1, Map.of())),
        Objects.requireNonNull(run.rollout().customEnvs().get("Dataset")).rewards());
    assertEquals(20, run.schedule().maxSteps(), "10 epochs of the sample's 60 questions");
  }

  @Test
  void theEnvironmentSaysWhereAndHowOftenItSaves() {
    RunConfig run =
        load(Map.of(
                "VERL_SAVE_FREQ", "7",
                "VERL_CHECKPOINT_DIR", "elsewhere",
                "VERL_EXPERIMENT_SUFFIX", "-two"))
            .run();
    assertEquals(7, run.schedule().checkpoints().saveSteps());
    assertEquals(Path.of("elsewhere/numinamath30k-3b-300steps-two"), run.outputDir());
  }
}
