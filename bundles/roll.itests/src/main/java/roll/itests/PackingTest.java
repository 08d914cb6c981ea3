package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.pipeline.TrainingRun;

/** Training on packed samples, and with common prefixes computed once, against padded ones. */
@Tag("framework")
@Timeout(240)
class PackingTest {
  private static final String COUNTED = "dynamic_batching/actor_train/train_step/";

  private final Path folder;

  PackingTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void packedSamplesTrainAsPaddedOnesDo() throws Exception {
    compare("local_train");
  }

  @Test
  void packedSamplesTrainAsPaddedOnesDoOnRanks() throws Exception {
    compare(
        "zero3",
        "num_gpus_per_node=2",
        "actor_train.device_mapping=[0, 1]",
        "actor_infer.device_mapping=[0, 1]",
        "actor_train.training_args.gradient_accumulation_steps=1",
        "actor_train.strategy_args.strategy_config={parallel_micro_batches: ~,"
            + " zero_optimization: {stage: 3}}");
  }

  /** The samples of an optimizer step are whole groups with a common system prompt. */
  @Test
  void commonPrefixesTrainAsSeparateOnesDo() throws Exception {
    String[] whole = {
      "actor_train.training_args.gradient_accumulation_steps=4",
      "custom_envs.FrozenLake.agent_system_template=Reach the goal. Holes in the ice end the walk."
    };
    Map<String, String> separate =
        firstStep("separate", "local_train", whole, "actor_train.sequence_sharing=false");
    Map<String, String> shared =
        firstStep("shared", "local_train", whole, "actor_train.sequence_sharing=true");
    assertEquals(null, separate.get("actor/shared_tokens"));
    assertTrue(number(shared, "actor/shared_tokens") > 0.05, shared::toString);
    double norm = number(separate, "actor_train/grad_norm");
    assertEquals(norm, number(shared, "actor_train/grad_norm"), 1e-4 * norm);
  }

  private void compare(String strategy, String... more) throws Exception {
    Map<String, String> padded =
        firstStep("padded", strategy, more, "actor_train.use_sequence_packing=false");
    Map<String, String> packed =
        firstStep(
            "packed",
            strategy,
            more,
            "actor_train.use_sequence_packing=true",
            "actor_train.sequence_packing_args={algorithm: load_balance}");
    double norm = number(padded, "actor_train/grad_norm");
    assertTrue(norm > 0);
    assertEquals(norm, number(packed, "actor_train/grad_norm"), 1e-3 * norm);
    assertEquals(
        number(packed, COUNTED + "valid_tokens"), number(packed, COUNTED + "actual_tokens"));
    assertTrue(number(packed, COUNTED + "removed_padding_ratio") > 0);
  }

  private Map<String, String> firstStep(
      String name, String strategy, String[] more, String... packing) throws Exception {
    List<String> overrides =
        new ArrayList<>(
            List.of(
                "exp_name=" + strategy + "-" + name,
                "max_steps=2",
                "save_steps=2",
                "actor_train.strategy_args.strategy_name=" + strategy));
    overrides.addAll(List.of(more));
    overrides.addAll(List.of(packing));
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    assertEquals(2, run.outcome().get().steps());
    return Objects.requireNonNull(RunAssertions.metrics(run.folder()).get(0));
  }

  private static double number(Map<String, String> metrics, String name) {
    return Double.parseDouble(Objects.requireNonNull(metrics.get(name), name));
  }
}
