package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.config.RewardConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/**
 * {@code configs/gsm8k_qwen2.5_0.5b.yaml}: what it says, with another model and other questions.
 */
class Gsm8kTest {
  private static final Path CONFIGS =
      Path.of(Objects.requireNonNull(System.getProperty("roll.root")), "configs");
  private static final Path DATA = CONFIGS.resolve("data");
  private static final LoadedConfig LOADED =
      load(new YamlConfigLoader(name -> null, ConfigFiles.LINES));

  private static LoadedConfig load(YamlConfigLoader loader) {
    return loader.load(
        CONFIGS.resolve("gsm8k_qwen2.5_0.5b.yaml"),
        List.of(
            "pretrain=" + CONFIGS.resolve("models/qwen2.5-3b-shape"),
            "random_weights=true",
            "custom_envs.Gsm8k.env_config.train_files=" + DATA.resolve("arithmetic-train.jsonl"),
            "custom_envs.Gsm8k.env_config.val_files=" + DATA.resolve("arithmetic-val.jsonl")));
  }

  /** In the format that a card is fast in, where there is one. */
  @Test
  void aCardComputesInBf16() {
    RunConfig run = load(new YamlConfigLoader(name -> null, new OneCard(false))).run();
    run.roles().byName().values().forEach(role -> assertEquals(Dtype.BF16, role.model().dtype()));
  }

  @Test
  void aStepIsOneUpdateOnAllResponses() {
    Map<String, Long> derived = LOADED.derived();
    assertEquals(256L, derived.get("train_envs"));
    assertEquals(256L, derived.get("effective_batch"));
    assertEquals(1L, derived.get("updates_per_step"));
  }

  @Test
  void answersAreGradedByTheLastNumber() {
    RunConfig run = LOADED.run();
    assertEquals(Dtype.FP32, run.roles().actorTrain().model().dtype());
    assertEquals(Dtype.FP32, run.roles().actorInfer().model().dtype());
    assertEquals("vllm", run.roles().actorInfer().strategy());
    assertEquals(
        List.of(new RewardConfig("gsm8k", 1, Map.of("method", "strict"))),
        Objects.requireNonNull(run.rollout().customEnvs().get("Gsm8k")).rewards());
    assertEquals(List.of(), LOADED.notices());
  }
}
