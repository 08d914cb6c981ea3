package roll.strategy.zero3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.testkit.RankFixtures;

/** The keys, as DeepSpeed, FSDP2 and ROLL name them. */
class ZeroOptionsTest {
  private static final String WHERE = "actor_train.strategy_args.strategy_config";

  private static ZeroOptions options(Object... given) {
    return new ZeroOptions(Tiny.RUNS.worker(4, RankFixtures.options(given)));
  }

  private static ParallelLayout layout(Object... given) {
    return options(given).layout();
  }

  private static ParallelLayout zero(Object... given) {
    return layout("zero_optimization", RankFixtures.options(given));
  }

  private static String refused(Object... given) {
    String line = userError(() -> layout(given));
    assertEquals(1, line.lines().count());
    return line;
  }

  private static List<String> notices(Object... given) {
    ZeroOptions options = options(given);
    options.layout();
    return options.notices();
  }

  @Test
  void withoutKeysEverythingIsCut() {
    assertEquals(
        new ParallelLayout(
            4, 1, 1, 3, false, ParallelLayout.Recompute.FULL, 100_000, true, Offload.NOTHING),
        layout());
    assertEquals(
        1, new ZeroOptions(Tiny.RUNS.worker(0, Map.of())).layout().ranks(), "no devices: the CPU");
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2", "3"})
  void theStageIsWhatIsCut(int stage) {
    assertEquals(stage, zero("stage", stage).zero());
    assertEquals(4, zero("stage", stage).ranks());
  }

  /** ROLL's five templates, as they are after interpolation. */
  @ParameterizedTest
  @CsvSource({
    "0, false, false, false, false",
    "2, false, false, false, false",
    "3, false, false, false, false",
    "2, true, true, true, false",
    "3, true, false, true, false"
  })
  void templatesOfRollAreAccepted(
      int stage, boolean optimizer, boolean param, boolean moments, boolean parameters) {
    Map<String, Object> cpu = Map.of("device", "cpu", "pin_memory", true);
    Map<String, Object> zero = RankFixtures.options("stage", stage);
    if (stage == 2) {
      zero.put("allgather_partitions", true);
      zero.put("allgather_bucket_size", 1e9);
      zero.put("reduce_scatter", true);
      zero.put("reduce_bucket_size", 5e8);
    }
    if (stage == 3) {
      zero.put("sub_group_size", 1e9);
      zero.put("reduce_bucket_size", "auto");
      zero.put("stage3_prefetch_bucket_size", "auto");
      zero.put("stage3_param_persistence_threshold", "auto");
      zero.put("stage3_max_live_parameters", 1e9);
      zero.put("stage3_max_reuse_distance", 1e9);
      zero.put("stage3_gather_16bit_weights_on_model_save", true);
    }
    zero.put("overlap_comm", true);
    zero.put("contiguous_gradients", true);
    if (optimizer) {
      zero.put("offload_optimizer", cpu);
    }
    if (param) {
      zero.put("offload_param", cpu);
    }
    Object[] file = {
      "train_micro_batch_size_per_gpu",
      "auto",
      "gradient_accumulation_steps",
      "auto",
      "gradient_clipping",
      "auto",
      "zero_allow_untested_optimizer",
      true,
      "bf16",
      Map.of("enabled", true),
      "fp16",
      Map.of("enabled", false, "loss_scale", 0),
      "zero_optimization",
      zero,
      "checkpoint",
      Map.of("tag_validation", "IGNORE")
    };
    ParallelLayout layout = layout(file);
    assertEquals(stage, layout.zero());
    assertEquals(new Offload(moments, parameters, null), layout.offload());
    assertEquals(ParallelLayout.PERSISTENCE, layout.persistence());
    assertTrue(layout.prefetch());
    assertEquals(
        param
            ? List.of(
                WHERE
                    + ".zero_optimization.offload_param has no effect here: only stage 3 shards"
                    + " parameters, this is stage 2")
            : List.of(),
        notices(file));
  }

  @Test
  void numbersMayBeWrittenEitherWay() {
    assertEquals(10_000, zero("stage3_param_persistence_threshold", 1e4).persistence());
    assertEquals(7, zero("stage3_param_persistence_threshold", 7).persistence());
    assertFalse(zero("stage3_prefetch_bucket_size", 0).prefetch());
    assertTrue(zero("stage3_prefetch_bucket_size", 5e7).prefetch());
  }

  @Test
  void offloadMeansFiles() {
    ParallelLayout layout =
        zero(
            "offload_optimizer",
            Map.of("device", "none"),
            "offload_param",
            Map.of("device", "nvme", "nvme_path", "/fast"));
    assertEquals(new Offload(false, true, Path.of("/fast")), layout.offload());
  }

  @Test
  void keysOfFsdpAreAccepted() {
    ParallelLayout standard =
        layout(
            "fsdp_size",
            4,
            "param_dtype",
            "bf16",
            "reduce_dtype",
            "fp32",
            "wrap_policy",
            "x",
            "apply_expert_patch",
            true,
            "apply_tiled_mlp",
            true);
    assertEquals(3, standard.zero());
    assertEquals(2, layout("reshard_after_forward", false).zero());
    assertEquals(new Offload(true, true, null), layout("offload_policy", true).offload());
    assertEquals(
        new Offload(true, false, null),
        layout("offload_policy", true, "reshard_after_forward", false).offload());
    assertEquals(
        List.of(WHERE + ".fsdp_size has no effect here: device_mapping decides"),
        notices("fsdp_size", 4));
    assertEquals(
        List.of(WHERE + ".ep_size has no effect here: experts are sharded as the other layers are"),
        notices("ep_size", 8));
  }

  @Test
  void whatIsKeptIsLayersUpToStageTwo() {
    ModelConfig keeps =
        new ModelConfig(
            Tiny.RUNS.model(), Dtype.FP32, List.of(), false, false, null, null, true, 1, false);
    ZeroOptions two =
        new ZeroOptions(
            Tiny.RUNS.worker(
                "actor_train", keeps, 2, Map.of("zero_optimization", Map.of("stage", 2))));
    assertEquals(ParallelLayout.Recompute.NONE, two.layout().recompute());
    assertEquals(List.of(), two.notices());
    ZeroOptions three = new ZeroOptions(Tiny.RUNS.worker("actor_train", keeps, 2, Map.of()));
    assertEquals(ParallelLayout.Recompute.FULL, three.layout().recompute());
    assertEquals(
        List.of(
            "actor_train.model_args.disable_gradient_checkpointing: stage 3 always runs layers"
                + " again, for their parameters are gone"),
        three.notices());
  }

  @Test
  void whatDoesNothingAndWasSetToANumberIsPointedOut() {
    assertEquals(
        List.of(
            WHERE
                + ".train_micro_batch_size_per_gpu has no effect here:"
                + " per_device_train_batch_size decides",
            WHERE + ".gradient_clipping has no effect here: max_grad_norm decides"),
        notices("train_micro_batch_size_per_gpu", 4, "gradient_clipping", 1.0, "bf16", Map.of()));
  }

  @Test
  void wrongValuesAreRefusedWithOneLine() {
    assertEquals(
        WHERE + ".zero_optimization.stage: expected an integer from 0 to 3, found '4'",
        refused("zero_optimization", Map.of("stage", 4)));
    assertEquals(
        WHERE + ".zero_optimization.stage: expected integer, found 'three'",
        refused("zero_optimization", Map.of("stage", "three")));
    assertEquals(
        WHERE + ".zero_optimization: expected mapping, found '3'", refused("zero_optimization", 3));
    assertTrue(
        refused("zero_optimisation", Map.of()).endsWith("did you mean 'zero_optimization'?"));
    assertTrue(refused("zero_optimization", Map.of("stag", 3)).endsWith("did you mean 'stage'?"));
    assertEquals(
        WHERE
            + ".zero_optimization.offload_optimizer.device: expected one of none, cpu, nvme,"
            + " found 'cup'; did you mean 'cpu'?",
        refused("zero_optimization", Map.of("offload_optimizer", Map.of("device", "cup"))));
    assertTrue(
        refused("zero_optimization", Map.of("offload_optimizer", Map.of("devise", "cpu")))
            .endsWith("did you mean 'device'?"));
    assertTrue(
        refused("zero_optimization", Map.of("stage3_param_persistence_threshold", -1))
            .startsWith(
                WHERE
                    + ".zero_optimization.stage3_param_persistence_threshold: expected a number"
                    + " from 0"));
  }

  @Test
  void strategiesListTheKeysAndCheckThemBeforeAnythingIsLoaded() {
    try (Tiny tiny = new Tiny()) {
      List<String> names =
          List.of(
              "zero_optimization", "reshard_after_forward", "offload_policy", "plain_collectives");
      assertEquals(names, tiny.strategy().options().stream().map(Option::name).toList());
      assertEquals(names, tiny.frozen().options().stream().map(Option::name).toList());
      tiny.strategy().options().forEach(option -> assertFalse(option.description().isBlank()));

      Map<String, Object> wrong = Map.of("stage", 3);
      assertThrows(UserException.class, () -> tiny.strategy().notices(Tiny.RUNS.worker(2, wrong)));
      assertThrows(
          UserException.class,
          () -> tiny.strategy().open(RankFixtures.config(Tiny.RUNS.worker(2, wrong))));
      ModelConfig model = ModelConfig.of(Tiny.RUNS.model(), Dtype.FP32);
      assertEquals(
          "actor_train.model_args.lora_dropout: 0.1: zero3 trains adapters without dropout (0);"
              + " local_train has it",
          userError(
              () ->
                  tiny.strategy()
                      .notices(
                          Tiny.RUNS.worker(
                              "actor_train",
                              model.withLora(new LoraConfig(4, 8, 0.1, List.of("q_proj"))),
                              2,
                              Map.of()))));
      assertEquals(
          "actor_infer.strategy_args.strategy_name: zero3 scores, but does not generate responses"
              + " (vllm, sglang and hf_infer do)",
          userError(
              () -> tiny.frozen().notices(Tiny.RUNS.worker("actor_infer", model, 2, Map.of()))));
      assertEquals(
          List.of(), tiny.frozen().notices(Tiny.RUNS.worker("reference", model, 2, Map.of())));
    }
  }
}
