package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.TrainingRun;

/** Two devices: one trains, the other generates. */
@Tag("framework")
@Timeout(240)
class DisjointDevicesTest {
  private final Path folder;

  DisjointDevicesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private TrainingRun start(String name, int train, int infer, String... more) {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=" + name,
            "num_gpus_per_node=2",
            "actor_train.device_mapping=[" + train + "]",
            "actor_infer.device_mapping=[" + infer + "]");
    return SmallRuns.start("frozen_lake.yaml", folder, overrides);
  }

  @Test
  void vllmFollowsATrainerOnAnotherDevice() throws Exception {
    follows("vllm");
  }

  @Test
  void hfInferFollowsATrainerOnAnotherDevice() throws Exception {
    follows("hf_infer");
  }

  /** Generation uses the latest weights in each of three steps. */
  private void follows(String strategy) throws Exception {
    TrainingRun run =
        start(
            strategy,
            0,
            1,
            "max_steps=3",
            "async_generation_ratio=1",
            "actor_infer.strategy_args.strategy_name=" + strategy);
    assertEquals(3, run.outcome().get().steps());
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(run.folder());
    for (int step = 0; step < 3; step++) {
      Map<String, String> of = Objects.requireNonNull(metrics.get(step));
      double oldest = Double.parseDouble(Objects.requireNonNull(of.get("async/staleness/max")));
      assertTrue(oldest <= 1, strategy + " wrote with weights " + oldest + " steps old");
      assertTrue(of.containsKey("actor/pg_loss"), "it is trained on");
    }
  }

  /** Copied and shared weights give equal results, bit for bit. */
  @Test
  void nothingDependsOnWhereWeightsAre() throws Exception {
    TrainingRun shared = start("shared", 0, 0, "max_steps=4", "save_steps=2");
    assertFalse(shared.outcome().get().interrupted());
    TrainingRun copied = start("copied", 0, 1, "max_steps=4", "save_steps=2");
    assertFalse(copied.outcome().get().interrupted());
    RunAssertions.assertSameRun(shared.folder(), copied.folder());
  }

  @Test
  void devicesThatAreNotThereAreRefused() {
    Throwable refused =
        assertThrows(
            Exception.class,
            () -> start("absent", 0, 2, "max_steps=1", "num_nodes=1").outcome().get());
    while (!(refused instanceof UserException)) {
      refused = Objects.requireNonNull(refused.getCause());
    }
    assertEquals(
        "override 'actor_infer.device_mapping=[2]': actor_infer.device_mapping: there is no device"
            + " 2: num_gpus_per_node × num_nodes say that there are 2, from 0 on",
        refused.getMessage());
  }
}
