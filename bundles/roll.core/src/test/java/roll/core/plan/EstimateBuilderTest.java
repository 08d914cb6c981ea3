package roll.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static roll.testkit.SmallDecoder.SPEC;
import static roll.testkit.SmallDecoder.WEIGHTS;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.decoder.ModelSpecs;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.RunEstimates;
import roll.testkit.ExampleRunConfigs;

/** Sizes that are counted by hand. */
class EstimateBuilderTest {
  private static final Path HERE = Path.of("here");

  private static WorkerConfig worker(ModelConfig model) {
    return ExampleRunConfigs.with(ExampleRunConfigs.small(HERE, 1).roles().actorTrain(), model);
  }

  @Test
  void aCheckpointHasWeightsAndWhatTheOptimizerKnows() {
    ModelConfig wide = ModelConfig.of(HERE, Dtype.FP32);
    ModelConfig narrow = ModelConfig.of(HERE, Dtype.BF16);
    assertEquals(12 * WEIGHTS, EstimateBuilder.checkpoint(SPEC, worker(wide)));
    assertEquals(14 * WEIGHTS, EstimateBuilder.checkpoint(SPEC, worker(narrow)));
    ModelConfig frozen = wide.withFrozen(List.of("model.layers.0."));
    assertEquals(
        4 * WEIGHTS + 8 * (WEIGHTS - 1176), EstimateBuilder.checkpoint(SPEC, worker(frozen)));
  }

  /** Adapters of rank 2 at four projections of 12 × 12 have 2 · 24 parameters each. */
  @Test
  void ofAdaptersItHasThemAlone() {
    Adapter adapter =
        new Adapter(
            2,
            4,
            false,
            0,
            IntStream.range(0, 4)
                .mapToObj(layer -> "model.layers." + layer + ".self_attn.q_proj")
                .collect(Collectors.toSet()));
    WorkerConfig worker = worker(ModelConfig.of(HERE, Dtype.BF16));
    assertEquals(12 * 4 * 48, EstimateBuilder.checkpoint(SPEC.with(adapter), worker));
  }

  @Test
  void theOldestCheckpointGoesWhenTheNewOneIsThere() {
    assertEquals(20, EstimateBuilder.kept(20, 0));
    assertEquals(3, EstimateBuilder.kept(20, 2));
    assertEquals(2, EstimateBuilder.kept(2, 2));
    assertEquals(0, EstimateBuilder.kept(0, 2));
    assertEquals(1L << 31, EstimateBuilder.kept(1L << 40, Integer.MAX_VALUE));
  }

  /**
   * Policy and critic of 4956 weights; 12 trajectories of at most 64 tokens, of each 33 bytes and 9
   * numbers: 5 of any run, old log-prob and entropy, reference and value.
   */
  @Test
  void aRunIsTheSumOfItsRoles() {
    LoadedConfig config =
        new LoadedConfig(
            HERE,
            ExampleRunConfigs.small(HERE, 1),
            "",
            List.of(),
            Set.of(),
            Map.of("checkpoints", 2L));
    MemoryPlan plan =
        new MemoryPlan(
            List.of(share("rollout", 5), share("train", 7), share("train", 4)),
            Map.of(-1, 100L),
            List.of(),
            null);
    RunEstimates estimates = new EstimateBuilder(config, new Same()).build(plan, null);
    assertEquals(2 * 12 * WEIGHTS, estimates.checkpoint());
    assertEquals(2, estimates.kept());
    assertEquals(11, estimates.models());
    assertEquals(2 * 12 * WEIGHTS, estimates.copied());
    assertEquals(12 * 64 * (33 + 9 * 8), estimates.batch());
    assertEquals(11 + 2 * 12 * WEIGHTS + 12 * 64 * (33 + 9 * 8), estimates.host());
    assertNull(estimates.measured(), "nothing of it was run");
  }

  private static MemoryPlan.Share share(String phase, long bytes) {
    return new MemoryPlan.Share(
        phase, "actor_train", new SessionMemory(-1, Map.of(MemoryKind.PARAMETERS, bytes)));
  }

  /** Every role has the same model. */
  private static final class Same implements ModelSpecs {
    @Override
    public DecoderSpec of(WorkerConfig worker, boolean values) {
      return SPEC;
    }

    @Override
    public DecoderSpec require(WorkerConfig worker, boolean values) {
      return SPEC;
    }

    @Override
    public DecoderSpec requireHead(WorkerConfig worker) {
      return SPEC;
    }
  }
}
