package roll.itests;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.pipeline.TrainingRun;

/** Training with rollouts of the engine {@code vllm}. */
@Tag("framework")
@Timeout(240)
class EngineTrainingTest {
  private final Path folder;

  EngineTrainingTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Continuous batching is reproducible, since all requests of a step are submitted at once. */
  @Test
  void continuousBatchingRepeatsBitForBit() throws Exception {
    String[] keys = {
      "actor_infer.strategy_args={strategy_name: vllm, strategy_config: {block_size: 4}}"
    };
    Path whole = train("vllm", keys);
    RunAssertions.assertSameRun(whole, train("vllm-again", keys));
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(whole);
    assertTrue(
        Double.parseDouble(Objects.requireNonNull(metrics.get(0)).get("vllm/prefix_cache_hit_rate"))
            > 0.1);
  }

  @Test
  void sglangIsAnotherNameOfVllm() throws Exception {
    Path run =
        train(
            "sglang",
            "max_steps=1",
            "actor_infer.strategy_args={strategy_name: sglang, strategy_config:"
                + " {mem_fraction_static: 0.1, page_size: 8}}");
    assertTrue(Files.readString(run.resolve("metrics.jsonl")).contains("vllm/steps"));
  }

  private Path train(String name, String... more) throws Exception {
    List<String> overrides =
        SmallRuns.overrides(more, "exp_name=" + name, "max_steps=4", "save_steps=2");
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    assertFalse(run.outcome().get().interrupted());
    return run.folder();
  }
}
