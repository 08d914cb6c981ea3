package roll.strategy.megatron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.testkit.RankFixtures;

/** The keys, as Megatron-LM and ROLL name them. */
class MegatronOptionsTest {
  private static final String WHERE = "actor_train.strategy_args.strategy_config";
  private static final String TENSOR = "tensor_model_parallel_size";
  private static final String PIPELINE = "pipeline_model_parallel_size";

  private static MegatronOptions options(int devices, @Nullable Object... given) {
    return new MegatronOptions(Tiny.RUNS.worker(devices, RankFixtures.options(given)));
  }

  private static ParallelLayout layout(int devices, @Nullable Object... given) {
    return options(devices, given).layout();
  }

  private static String refused(int devices, @Nullable Object... given) {
    return line(() -> layout(devices, given));
  }

  private static String line(Executable refused) {
    String line = userError(refused);
    assertEquals(1, line.lines().count());
    return line;
  }

  private static DecoderSpec spec(
      int vocabulary, int intermediate, int layers, int heads, int keyValueHeads, int positions) {
    return new DecoderSpec(
        "test",
        vocabulary,
        8 * heads,
        intermediate,
        layers,
        new Attention(heads, keyValueHeads, 8),
        Rope.standard(1e4, 8),
        positions,
        1e-5,
        Set.of(),
        0.02);
  }

  @Test
  void theFirstStageHasTheLayersOfDeepStack() {
    VisionSpec deep =
        new VisionSpec(9, 8, 2, 8, 1, 10, 3, 2, 2, 2, 0, Set.of(), new DeepStack(3, List.of(0, 1)));
    assertEquals(
        "actor_train.strategy_args.strategy_config.pipeline_model_parallel_size: 2 stages for 3"
            + " layers: the first must have the 2 to which DeepStack adds",
        refused(spec(12, 24, 3, 2, 2, 64).seeing(deep), 2, "pipeline_model_parallel_size", 2));
    DecoderSpec seeing = spec(12, 24, 4, 2, 2, 64).seeing(deep);
    assertEquals(2, options(2, "pipeline_model_parallel_size", 2).layout(seeing).pipeline());
    assertEquals(2, options(2, "tensor_model_parallel_size", 2).layout(seeing).tensor());
  }

  private static String refused(DecoderSpec spec, int devices, @Nullable Object... given) {
    return line(() -> options(devices, given).layout(spec));
  }

  @Test
  void withoutKeysEveryDeviceHasAllOfTheModel() {
    assertEquals(
        new ParallelLayout(
            3, 1, 1, 0, false, ParallelLayout.Recompute.FULL, 0, false, Offload.NOTHING),
        layout(3));
    assertEquals(1, layout(0).ranks());
  }

  @Test
  void everyKeyIsRead() {
    assertEquals(
        new ParallelLayout(
            2, 2, 4, 1, true, ParallelLayout.Recompute.SELECTIVE, 0, false, Offload.NOTHING),
        layout(
            16,
            TENSOR,
            4,
            PIPELINE,
            2,
            "sequence_parallel",
            true,
            "use_distributed_optimizer",
            true,
            "recompute_granularity",
            "selective"));
  }

  @Test
  void whatIsComputedAgainFollowsTheModelWhereItIsNotSaid() {
    assertEquals(
        ParallelLayout.Recompute.FULL, layout(1, "recompute_granularity", "full").recompute());
    ModelConfig keeps =
        new ModelConfig(
            Tiny.RUNS.model(), Dtype.FP32, List.of(), false, false, null, null, true, 1, false);
    assertEquals(
        ParallelLayout.Recompute.NONE,
        new MegatronOptions(Tiny.RUNS.worker("actor_train", keeps, 1, Map.of()))
            .layout()
            .recompute());
  }

  /** Sequence parallelism has an effect only with tensor-parallel ranks, as in Megatron-LM. */
  @Test
  void sequenceParallelismOfOneRankIsNone() {
    assertFalse(layout(2, "sequence_parallel", true).sequenceParallel());
    assertTrue(layout(2, TENSOR, 2, "sequence_parallel", true).sequenceParallel());
  }

  @Test
  void keysThatSayHowArePointedOut() {
    MegatronOptions options =
        options(
            1,
            "overlap_grad_reduce",
            true,
            "moe_token_dispatcher_type",
            "alltoall",
            "recompute_method",
            "uniform");
    assertEquals(1, options.layout().ranks());
    assertEquals(
        List.of(
            WHERE + ".overlap_grad_reduce has no effect here",
            WHERE + ".moe_token_dispatcher_type has no effect here",
            WHERE + ".recompute_method has no effect here"),
        options.notices());
  }

  @Test
  void furtherKeysOfMegatronMaySayHow() {
    assertEquals(1, layout(1, "additional_configs", Map.of("moe_permute_fusion", true)).ranks());
    assertEquals(
        WHERE + ".additional_configs.fp8 is not supported",
        refused(1, "additional_configs", Map.of("fp8", "hybrid")));
  }

  @Test
  void shardedSequencesAreRefused() {
    String key = "context_parallel_size";
    assertEquals(2, layout(2, key, 1).ranks());
    assertEquals(2, layout(2, key, null).ranks(), "as ROLL writes that there is none");
    assertEquals(
        WHERE + "." + key + ": expected 1 (other values are not supported), found '2'",
        refused(2, key, 2));
  }

  @Test
  void aLoadBalancingLossIsRefused() {
    String key = "moe_aux_loss_coeff";
    assertEquals(1, layout(1, key, 0.0).ranks());
    assertEquals(
        WHERE + "." + key + ": expected a number from 0 to 0, found '0.001'",
        refused(1, key, 0.001));
  }

  /** Experts on ranks of their own, and interleaved stages, give the same numbers. */
  @ParameterizedTest
  @CsvSource({
    "expert_model_parallel_size,'experts are sharded as the other layers are: the same numbers,"
        + " more memory'",
    "expert_tensor_parallel_size,'experts are sharded as the other layers are: the same numbers,"
        + " more memory'",
    "virtual_pipeline_model_parallel_size,stages are whole: the same numbers",
  })
  void partsThatChangeNoNumberArePointedOut(String key, String done) {
    MegatronOptions options = options(2, key, 8);
    assertEquals(2, options.layout().ranks());
    assertEquals(
        List.of("%s.%s has no effect here: %s".formatted(WHERE, key, done)), options.notices());
    assertEquals(List.of(), options(2, key, 1).notices());
    assertEquals(2, layout(2, key, null).ranks(), "as ROLL writes that there is none");
  }

  @Test
  void whatDoesNotFitTheDevicesIsRefused() {
    assertEquals(
        WHERE
            + ".tensor_model_parallel_size × pipeline_model_parallel_size: 2 × 2 does not divide"
            + " the 6 devices of actor_train.device_mapping",
        refused(6, TENSOR, 2, PIPELINE, 2));
    assertTrue(refused(0, TENSOR, 2).contains("2 × 1 does not divide the 1 devices"));
    assertEquals(
        WHERE + "." + TENSOR + ": expected an integer from 1 to 4096, found '0'",
        refused(2, TENSOR, 0));
    assertEquals(
        WHERE + "." + TENSOR + ": expected integer, found 'two'", refused(2, TENSOR, "two"));
    assertEquals(
        WHERE
            + ".recompute_granularity: expected one of full, selective, found 'ful'; did you mean"
            + " 'full'?",
        refused(1, "recompute_granularity", "ful"));
    assertTrue(
        refused(2, "tensor_parallel_size", 2).contains("unknown key 'tensor_parallel_size'"));
    assertTrue(
        refused(2, "tensor_model_paralel_size", 2).endsWith("did you mean '" + TENSOR + "'?"));
  }

  @Test
  void whatDoesNotDivideTheModelIsRefused() {
    assertEquals(4, options(4, TENSOR, 4).layout(spec(160, 40, 2, 8, 4, 64)).tensor(), "this does");
    assertEquals(
        WHERE + "." + TENSOR + ": 4 does not divide the model's 6 attention heads",
        refused(spec(160, 40, 2, 6, 6, 64), 4, TENSOR, 4));
    assertEquals(
        WHERE + "." + TENSOR + ": 4 does not divide the model's 2 key and value heads",
        refused(spec(160, 40, 2, 8, 2, 64), 4, TENSOR, 4));
    assertEquals(
        WHERE + "." + TENSOR + ": 4 does not divide the model's 161 vocabulary tokens",
        refused(spec(161, 40, 2, 8, 4, 64), 4, TENSOR, 4));
    assertEquals(
        WHERE
            + "."
            + TENSOR
            + ": 4 does not divide the model's 42 columns of the feed-forward"
            + " layers",
        refused(spec(160, 42, 2, 8, 4, 64), 4, TENSOR, 4));
    assertTrue(
        refused(spec(160, 42, 2, 8, 4, 64).of(new Experts(8, 2, true)), 4, TENSOR, 4)
            .contains("42 columns"),
        "of each expert");
    assertEquals(
        WHERE + "." + PIPELINE + ": 4 stages for 2 layers",
        refused(spec(160, 40, 2, 8, 4, 64), 4, PIPELINE, 4));
    assertEquals(
        WHERE
            + ".sequence_parallel: tensor_model_parallel_size 4 does not divide the model's 62"
            + " positions",
        refused(spec(160, 40, 2, 8, 4, 62), 4, TENSOR, 4, "sequence_parallel", true));
  }

  @Test
  void strategiesListTheKeysAndCheckThemBeforeAnythingIsLoaded() {
    try (Tiny tiny = new Tiny()) {
      assertEquals(
          Set.of(
              TENSOR,
              PIPELINE,
              "sequence_parallel",
              "use_distributed_optimizer",
              "recompute_granularity",
              "plain_collectives",
              "tensor_parallel_across_nodes",
              "context_parallel_size",
              "moe_aux_loss_coeff"),
          tiny.strategy().options().stream().map(Option::name).collect(Collectors.toSet()));
      assertEquals(tiny.strategy().options(), tiny.frozen().options());
      tiny.strategy().options().forEach(option -> assertFalse(option.description().isBlank()));

      Map<String, Object> wrong = Map.of(TENSOR, 2);
      assertThrows(UserException.class, () -> tiny.strategy().notices(Tiny.RUNS.worker(3, wrong)));
      assertThrows(
          UserException.class,
          () -> tiny.strategy().open(RankFixtures.config(Tiny.RUNS.worker(3, wrong))));
      ModelConfig model = ModelConfig.of(Tiny.RUNS.model(), Dtype.FP32);
      ModelConfig adapted = model.withLora(new LoraConfig(4, 8, 0.1, List.of("all-linear")));
      assertEquals(
          "actor_train.model_args.lora_dropout: 0.1: megatron_train trains adapters without dropout"
              + " (0); local_train has it",
          line(() -> tiny.strategy().notices(Tiny.RUNS.worker("actor_train", adapted, 2, wrong))));
      assertTrue(
          line(() -> tiny.frozen().notices(Tiny.RUNS.worker("actor_infer", model, 2, wrong)))
              .contains("scores, but does not generate responses"));
      assertEquals(
          List.of(), tiny.frozen().notices(Tiny.RUNS.worker("reference", model, 2, wrong)));
    }
  }
}
