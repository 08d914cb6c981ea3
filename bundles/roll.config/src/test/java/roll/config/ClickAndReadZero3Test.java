package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** ROLL's ClickAndRead run, as shipped, and its small copy. */
class ClickAndReadZero3Test {
  private static final Path CONFIGS = Path.of("../../configs");

  @Test
  void itsNumbersAreThoseOfTheRun() {
    LoadedConfig loaded = load("click_and_read_zero3.yaml");
    assertEquals(
        "{train_env_groups=64, train_envs=512, episodes_per_train_env=1, val_env_groups=512,"
            + " mini_batch=16, effective_batch=256, samples_sharing_a_prompt=4, updates_per_step=2,"
            + " total_updates=2048, total_trajectories=524288, evaluations=104,"
            + " total_eval_trajectories=53248, checkpoints=21, actor_train_replicas=8,"
            + " actor_infer_replicas=8, reference_replicas=8}",
        loaded.derived().toString());
    RunConfig run = loaded.run();
    List<Integer> eight = IntStream.range(0, 8).boxed().toList();
    WorkerConfig reference = run.roles().reference();
    assertNotNull(reference);
    assertEquals(eight, run.roles().actorTrain().devices());
    assertEquals(eight, run.roles().actorInfer().devices());
    assertEquals(eight, reference.devices());
    assertEquals(8, run.devices().count());
    assertEquals(80L << 30, run.devices().memory());
    assertEquals(0.2, run.algorithm().advantages().clip());
    assertEquals("cosine", run.roles().actorTrain().training().scheduler());
    Map<?, ?> zero =
        (Map<?, ?>) run.roles().actorTrain().strategyOptions().values().get("zero_optimization");
    assertNotNull(zero);
    assertEquals(3, zero.get("stage"));
  }

  @Test
  void theSmallCopyHasTheSameRolesOnAsManyDevices() {
    RunConfig small = load("click_and_read_zero3_small.yaml").run();
    assertEquals(8, small.roles().actorTrain().training().replicas());
    assertEquals(16, small.roles().actorTrain().training().effectiveBatch());
    assertEquals("deepspeed_train", small.roles().actorTrain().strategy());
    assertEquals("vllm", small.roles().actorInfer().strategy());
    assertEquals(0, small.devices().memory());
    assertEquals(2, small.schedule().maxSteps());
    assertNotNull(small.roles().reference());
  }

  private static LoadedConfig load(String name) {
    return new YamlConfigLoader().load(CONFIGS.resolve(name), List.of());
  }
}
