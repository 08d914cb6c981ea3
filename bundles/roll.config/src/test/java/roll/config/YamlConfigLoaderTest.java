package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.LoadedConfig;
import roll.api.config.RunConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Sampling;

class YamlConfigLoaderTest {
  @TempDir Path folder = Path.of("");

  @Test
  void theSmallestConfigurationHasRollsDefaults() {
    RunConfig run = new ConfigFiles(folder).load(ConfigFiles.SMALL).run();

    assertEquals("small", run.expName());
    assertEquals(42, run.seed());
    assertEquals(Path.of("output", "small"), run.outputDir().normalize());
    assertEquals(folder.resolve("model"), run.pretrain());
    assertEquals("grpo", run.algorithm().estimator());
    assertEquals("ppo", run.algorithm().loss().loss());
    assertEquals("local_train", run.actorTrain().strategy());
    assertEquals("hf_infer", run.actorInfer().strategy());
    assertEquals(Dtype.FP32, run.actorTrain().model().dtype());
    assertEquals(20, run.actorTrain().training().totalSteps());
    assertNull(run.reference());
    assertEquals(List.of(2), run.trainEnvs().groupsByTag());
    assertEquals(List.of(4), run.valEnvs().groupsByTag());
    assertEquals(
        Sampling.of(16).withTemperature(0.95).withTopP(0.7).withTopK(50), run.valEnvs().sampling());
    assertEquals(List.of("console", "jsonl", "tensorboard", "chart"), run.trackers());
    assertEquals(
        new EnvConfig(
            "FrozenLake",
            "frozen_lake",
            "trajectory",
            5,
            0,
            5,
            null,
            "{observation}",
            Map.of("size", 4)),
        run.customEnvs().get("FrozenLake"));
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
}
