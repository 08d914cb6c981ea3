package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.RunFoldersConfig;

/** Three YAML files of ROLL, as they are. */
class RollExamplesTest {
  private final Path examples =
      Path.of(
          Objects.requireNonNull(System.getProperty("roll.root")),
          "../shared/data/roll-configs/examples");

  @TempDir Path model = Path.of("");

  @BeforeEach
  void examplesAreThere() {
    assumeTrue(Files.isDirectory(examples), "ROLL's example configurations are not there");
  }

  @Test
  void frozenLakeLoads() {
    LoadedConfig loaded = load("qwen2.5-0.5B-agentic/agent_val_frozen_lake.yaml");
    RunConfig run = loaded.run();

    assertEquals(6, run.rollout().customEnvs().size());
    assertEquals(
        64,
        Objects.requireNonNull(run.rollout().customEnvs().get("FrozenLake"))
            .limits()
            .maxTokensPerStep());
    assertEquals(List.of(256, 256, 256, 256), run.rollout().valEnvs().groupsByTag());
    assertEquals(0.2, run.rollout().valEnvs().sampling().temperature());
    assertEquals(0.99, run.rollout().trainEnvs().sampling().temperature());
    assertEquals("megatron_train", run.roles().actorTrain().strategy());
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), run.roles().actorTrain().devices());
    assertEquals(8, run.devices().count());
    assertEquals(
        new RunFoldersConfig(
            Path.of("./output/logs/agentic_pipeline"),
            Path.of("./output/render/agentic_pipeline"),
            Path.of("/data/cpfs_0/rl_examples/models/agentic_pipeline")),
        run.places());
    assertEquals(1, loaded.derived().get("updates_per_step"));
    assertEquals(
        List.of(
            "hydra",
            "actor_train.model_args.attn_implementation",
            "train_env_manager.max_env_num_per_worker",
            "val_env_manager.max_env_num_per_worker",
            "custom_envs.*.use_thread_lock",
            "system_envs",
            "reference",
            "reward_pretrain",
            "train_env_manager.generating_args.temperature"),
        loaded.notices().stream().map(RollExamplesTest::key).toList());
    assertEquals(
        List.of("reference", "reward_pretrain", "train_env_manager.generating_args.temperature"),
        loaded.notices().stream()
            .filter(notice -> !loaded.unneeded().contains(notice))
            .map(RollExamplesTest::key)
            .toList(),
        "what another key switches off, or training does otherwise");
  }

  /** The key that a notice is about: in quotes, or its first word. */
  private static String key(String notice) {
    return notice.contains("'") ? notice.split("'", -1)[1] : notice.split(" ", -1)[0];
  }

  @Test
  void webShopLoads() {
    RunConfig run = load("qwen2.5-7B-agentic_megatron/agentic_val_webshop.yaml").run();

    assertEquals(20.0, run.algorithm().rewards().clip());
    assertEquals(1024, run.rollout().valEnvs().sampling().maxNewTokens());
    assertEquals(1.0, run.algorithm().maxGradNorm());
    assertEquals(
        "text",
        Objects.requireNonNull(run.rollout().customEnvs().get("WebShopEnv"))
            .options()
            .get("observation_mode"));
  }

  @Test
  void theEffectiveConfigurationLoadsToTheSame(@TempDir Path folder) {
    LoadedConfig first = load("qwen2.5-0.5B-agentic/agent_val_frozen_lake.yaml");
    LoadedConfig second = new ConfigFiles(folder).load(first.effectiveYaml());
    assertEquals(first.run(), second.run());
  }

  @Test
  void gigpoMissesItsTemplates() {
    String refused = userError(() -> load("qwen2.5-0.5B-agentic/agentic_val_sokoban_gigpo.yaml"));
    assertTrue(refused.endsWith("config/step_envs.yaml'"), refused);
  }

  @Test
  void aModelThatIsNotAFolderIsRefused() {
    Path file = examples.resolve("qwen2.5-0.5B-agentic/agent_val_frozen_lake.yaml");
    String refused = userError(() -> new YamlConfigLoader().load(file, List.of()));
    assertTrue(
        refused.endsWith(
            "agent_val_frozen_lake.yaml:59: pretrain: no folder 'Qwen/Qwen2.5-0.5B-Instruct'"
                + " here or next to the configuration file (models are read from local folders,"
                + " nothing is downloaded); a model of that name is fetched by `hf download"
                + " Qwen/Qwen2.5-0.5B-Instruct --local-dir models/Qwen2.5-0.5B-Instruct`: write"
                + " models/Qwen2.5-0.5B-Instruct"),
        refused);
  }

  private LoadedConfig load(String name) {
    return new YamlConfigLoader().load(examples.resolve(name), List.of("pretrain=" + model));
  }
}
