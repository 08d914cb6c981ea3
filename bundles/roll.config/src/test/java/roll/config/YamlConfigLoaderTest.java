package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Sampling;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

class YamlConfigLoaderTest extends SmallConfigFixture {
  @Test
  void theSmallestConfigurationHasRollsDefaults() {
    RunConfig run = run();

    assertEquals("small", run.expName());
    assertEquals(42, run.seed());
    assertEquals(Path.of("output", "small"), run.outputDir().normalize());
    assertEquals(folder.resolve("model"), run.roles().pretrain());
    assertEquals("grpo", run.algorithm().estimator().name());
    assertEquals("ppo", run.algorithm().loss().loss());
    assertEquals("local_train", run.roles().actorTrain().strategy());
    assertEquals("hf_infer", run.roles().actorInfer().strategy());
    assertEquals(Dtype.FP32, run.roles().actorTrain().model().dtype());
    assertEquals(20, run.roles().actorTrain().training().totalSteps());
    assertNull(run.roles().reference());
    assertEquals(List.of(2), run.rollout().trainEnvs().groupsByTag());
    assertEquals(List.of(4), run.rollout().valEnvs().groupsByTag());
    assertEquals(
        Sampling.of(16).withTemperature(1).withTopP(0.7).withTopK(50),
        run.rollout().valEnvs().sampling());
    assertEquals(List.of("console", "jsonl", "tensorboard", "chart"), run.tracking().trackers());
    assertEquals(
        new EnvConfig(
            "FrozenLake",
            "frozen_lake",
            "trajectory",
            EnvLimits.steps(5),
            PromptConfig.of("{observation}"),
            Map.of("size", 4)),
        run.rollout().customEnvs().get("FrozenLake"));
  }

  @Test
  void ourFrozenLakeLoads() {
    Path file =
        Path.of(
            Objects.requireNonNull(System.getProperty("roll.root")), "configs/frozen_lake.yaml");
    LoadedConfig loaded = new YamlConfigLoader().load(file, List.of("max_steps=3"));

    assertEquals(
        List.of(), loaded.notices().stream().filter(n -> !n.contains("use_thread_lock")).toList());
    assertEquals(3, loaded.run().schedule().maxSteps());
  }

  @Test
  void filesOfEnvironmentsAreFoundBesideTheConfiguration(@TempDir Path folder) {
    ConfigFiles files = files();
    String config =
        ConfigFiles.SMALL.replace(
            "{size: 4}", "{level_file: levels/a.txt, data_path: nowhere, name: run.yaml}");
    Path levels = files.write("levels/a.txt", ";");
    assertEquals(
        Map.of("level_file", levels.toString(), "data_path", "nowhere", "name", "run.yaml"),
        Objects.requireNonNull(files.load(config).run().rollout().customEnvs().get("FrozenLake"))
            .options());
  }

  /** The three tags of ROLL's examples. */
  @Test
  void ourSokobanTemplatesLoad() {
    Path file =
        Path.of(
            Objects.requireNonNull(System.getProperty("roll.root")), "configs/frozen_lake.yaml");
    List<String> overrides = new ArrayList<>();
    for (String tag : List.of("SimpleSokoban", "LargerSokoban", "SokobanDifferentGridVocab")) {
      overrides.add("custom_envs." + tag + "=${custom_env." + tag + "}");
    }
    var envs = new YamlConfigLoader().load(file, overrides).run().rollout().customEnvs();
    assertEquals(
        Map.of(
            "action_pattern",
            "^(.*)$",
            "max_steps",
            8,
            "format_penalty",
            -0.15,
            "dim_room",
            List.of(10, 10),
            "num_boxes",
            2,
            "search_depth",
            10),
        Objects.requireNonNull(envs.get("LargerSokoban")).options());
    assertEquals("sokoban", Objects.requireNonNull(envs.get("SimpleSokoban")).envType());
    assertEquals(
        Map.of("0", "W", "1", ".", "2", "G", "3", "C", "4", "B", "5", "A", "6", "@"),
        Objects.requireNonNull(envs.get("SokobanDifferentGridVocab")).options().get("grid_lookup"));
  }
}
