package roll.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.WorkerConfig;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.pipeline.MemoryPlan.Share;
import roll.testkit.ExampleRunConfigs;

class CapacityCheckTest {
  private static final long GIB = 1L << 30;
  private static final RunConfig RUN = ExampleRunConfigs.small(Path.of("here"), 1);

  private static Share share(String phase, String role, int device, MemoryKind kind, long gib) {
    return new Share(phase, role, new SessionMemory(device, Map.of(kind, gib * GIB)));
  }

  @Test
  void theWorstPlaceIsTold() {
    List<Share> shares = new ArrayList<>();
    shares.add(share("rollout", "actor_infer", 1, MemoryKind.KV_CACHE, 8));
    shares.add(share("train", "actor_train", 0, MemoryKind.OPTIMIZER, 7));
    shares.add(share("train", "actor_train", 1, MemoryKind.OPTIMIZER, 9));
    shares.add(share("train", "actor_train", 1, MemoryKind.OFFLOADED, 99));
    shares.add(share("train", "actor_infer", 1, MemoryKind.PARAMETERS, 3));
    Map<String, WorkerConfig> roles =
        Map.of("actor_train", RUN.roles().actorTrain(), "actor_infer", RUN.roles().actorInfer());
    assertNull(CapacityCheck.refusal(shares, Map.of(0, 12 * GIB, 1, 12 * GIB), roles));
    assertEquals(
        "device 1 cannot hold phase train: it needs 12.00 GiB and has 7.00 GiB; the largest part,"
            + " 9.00 GiB, is optimizer of actor_train: change"
            + " actor_train.strategy_args.strategy_name (deepspeed_train shares a model out among"
            + " devices)",
        CapacityCheck.refusal(shares, Map.of(0, 7 * GIB, 1, 7 * GIB), roles));
  }

  @Test
  void theMachineIsTheDeviceOfRolesWithoutAny() {
    assertEquals(
        "the machine cannot hold phase rollout: it needs 8.00 GiB and has 2.50 GiB; the largest"
            + " part, 8.00 GiB, is kv cache of actor_infer: change"
            + " actor_infer.strategy_args.strategy_config.gpu_memory_utilization",
        CapacityCheck.refusal(
            List.of(share("rollout", "actor_infer", -1, MemoryKind.KV_CACHE, 8)),
            Map.of(-1, 5 * GIB / 2),
            Map.of("actor_infer", RUN.roles().actorInfer())));
  }

  @ParameterizedTest
  @CsvSource({
    "1, false, GRADIENTS, strategy_args.strategy_config.zero_optimization.stage",
    "3, false, OPTIMIZER, strategy_args.strategy_config.zero_optimization.offload_optimizer",
    "3, true, OPTIMIZER, device_mapping (more devices)",
    "3, true, PARAMETERS, strategy_args.strategy_config.zero_optimization.offload_param",
    "3, true, ACTIVATIONS, training_args.per_device_train_batch_size"
  })
  void keysOfZero(int stage, boolean offloaded, MemoryKind kind, String key) {
    Map<String, Object> zero = new LinkedHashMap<>(Map.of("stage", stage));
    if (offloaded) {
      zero.put("offload_optimizer", Map.of("device", "cpu"));
    }
    WorkerConfig train =
        worker("actor_train", "deepspeed_train", Map.of("zero_optimization", zero), 0);
    assertEquals("actor_train." + key, new MemoryAdvice(train, true, false).key(kind));
  }

  @Test
  void keysOfOtherStrategies() {
    assertEquals(
        "actor_train.strategy_args.strategy_config.tensor_model_parallel_size",
        new MemoryAdvice(worker("actor_train", "megatron_train", Map.of(), 0), true, false)
            .key(MemoryKind.PARAMETERS));
    WorkerConfig reference = worker("reference", "hf_infer", Map.of(), 0);
    assertEquals(
        "reference.model_args.dtype",
        new MemoryAdvice(reference, true, false).key(MemoryKind.PARAMETERS));
    assertEquals(
        "reference.infer_batch_size",
        new MemoryAdvice(reference, false, false).key(MemoryKind.KV_CACHE));
    assertEquals(
        "reference.infer_batch_size",
        new MemoryAdvice(reference, false, false).key(MemoryKind.ACTIVATIONS));
    assertEquals(
        "actor_train.max_tokens_per_microbatch_in_train",
        new MemoryAdvice(worker("actor_train", "local_train", Map.of(), 4096), true, false)
            .key(MemoryKind.ACTIVATIONS));
  }

  @Test
  void oneDeviceTrainsAdaptersOrASmallerModel() {
    WorkerConfig whole = worker("actor_train", "local_train", Map.of(), 0);
    assertEquals(
        "actor_train.model_args.lora_target (all-linear trains adapters alone), or name a smaller"
            + " model",
        new MemoryAdvice(whole, true, true).key(MemoryKind.OPTIMIZER));
    WorkerConfig adapters =
        whole.withModel(whole.model().withLora(new LoraConfig(8, 16, 0, List.of("all-linear"))));
    assertEquals(
        "actor_train.model_args.model_name_or_path (a smaller model)",
        new MemoryAdvice(adapters, true, true).key(MemoryKind.PARAMETERS));
    assertEquals(
        "actor_train.training_args.per_device_train_batch_size",
        new MemoryAdvice(adapters, true, true).key(MemoryKind.ACTIVATIONS));
  }

  private static WorkerConfig worker(
      String role, String strategy, Map<String, Object> options, int budget) {
    WorkerConfig worker = RUN.roles().actorTrain();
    return new WorkerConfig(
            role,
            worker.model(),
            worker.template(),
            strategy,
            YamlOptions.strategy(role, options),
            worker.training(),
            List.of(),
            worker.inferBatchSize())
        .withBudgets(new TokenBudgets(budget, budget));
  }
}
