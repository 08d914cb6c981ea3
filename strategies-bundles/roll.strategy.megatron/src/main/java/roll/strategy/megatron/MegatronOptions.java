package roll.strategy.megatron;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.parallel.ParallelOptions;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.NodeOptions;

/** The keys of {@code strategy_config}, with the names of Megatron-LM and ROLL. */
final class MegatronOptions implements ParallelOptions {
  /** Maximum number of ranks of a model. */
  private static final int MOST = 4096;

  private static final Option<Integer> TENSOR =
      Option.integer("tensor_model_parallel_size", 1, MOST, "number of tensor-parallel ranks")
          .withDefault(1);
  private static final Option<Integer> PIPELINE =
      Option.integer("pipeline_model_parallel_size", 1, MOST, "number of pipeline stages")
          .withDefault(1);
  private static final Option<Boolean> SEQUENCE =
      Option.flag(
              "sequence_parallel",
              "tokens are sharded over the tensor-parallel ranks between the halves of layers")
          .withDefault(false);
  private static final Option<Boolean> DISTRIBUTED =
      Option.flag(
              "use_distributed_optimizer",
              "the optimizer state is sharded over the data-parallel ranks")
          .withDefault(false);
  private static final String FULL = "full";
  private static final Option<String> RECOMPUTE =
      Option.choice(
          "recompute_granularity",
          List.of(FULL, "selective"),
          "activations recomputed for the backward pass: full, or selective (attention)");

  /** Sequences are not sharded: only 1 is accepted. */
  private static final Option<Integer> CONTEXT =
      Option.integer("context_parallel_size", 0, MOST, "1").withDefault(1);

  /** There is no load-balancing loss: only 0 is accepted. */
  private static final Option<Double> BALANCING =
      Option.number("moe_aux_loss_coeff", 0, 0, "0: there is no load-balancing loss")
          .withDefault(0.0);

  private static final List<Option<?>> KNOWN =
      List.of(
          TENSOR,
          PIPELINE,
          SEQUENCE,
          DISTRIBUTED,
          RECOMPUTE,
          NodeOptions.PLAIN,
          NodeOptions.TENSOR,
          CONTEXT,
          BALANCING);

  private static final String EXPERTS =
      "experts are sharded as the other layers are: the same numbers, more memory";

  /** Numbers of parts that change memory and time but not results, and what is done instead. */
  private static final Map<String, String> PARTS =
      Map.of(
          "expert_model_parallel_size",
          EXPERTS,
          "expert_tensor_parallel_size",
          EXPERTS,
          "virtual_pipeline_model_parallel_size",
          "stages are whole: the same numbers");

  /** A mapping of further keys of Megatron-LM. */
  private static final String MORE = "additional_configs";

  /** Keys of implementation details, which are accepted without effect. */
  private static final Set<String> HOW =
      Set.of(
          "overlap_grad_reduce",
          "overlap_param_gather",
          "recompute_method",
          "recompute_num_layers",
          "recompute_modules",
          "moe_token_dispatcher_type",
          "moe_grouped_gemm",
          "moe_layer_recompute",
          "moe_shared_expert_overlap",
          "cross_entropy_loss_fusion",
          "bias_activation_fusion",
          "apply_rope_fusion",
          "bf16",
          "transformer_impl",
          "account_for_embedding_in_pipeline_split",
          "account_for_loss_in_pipeline_split",
          "pipeline_model_parallel_layout",
          "distrib_optim_fully_reshardable",
          "moe_permute_fusion",
          "save_only_model",
          MORE);

  private final WorkerConfig worker;
  private final String where;

  MegatronOptions(WorkerConfig worker) {
    this.worker = worker;
    this.where = worker.strategyOptions().where();
  }

  /** Returns the declarations of the options in {@code strategy_config}. */
  static List<Option<?>> known() {
    return KNOWN;
  }

  @Override
  public List<String> notices() {
    List<String> notices = new ArrayList<>();
    worker
        .strategyOptions()
        .values()
        .forEach(
            (key, value) -> {
              String done = PARTS.get(key);
              if (HOW.contains(key)) {
                notices.add("%s.%s has no effect here".formatted(where, key));
              } else if (done != null && value instanceof Integer parts && parts > 1) {
                notices.add("%s.%s has no effect here: %s".formatted(where, key, done));
              }
            });
    return notices;
  }

  @Override
  public ParallelLayout layout() {
    if (worker.strategyOptions().values().get(MORE) instanceof Map<?, ?> more) {
      for (Object key : more.keySet()) {
        if (!HOW.contains(String.valueOf(key))) {
          throw new UserException("%s.%s.%s is not supported".formatted(where, MORE, key));
        }
      }
    }
    Options options = worker.strategyOptions().without(HOW).without(PARTS.keySet()).checked(KNOWN);
    if (options.get(CONTEXT) > 1) {
      throw options.wrong(CONTEXT, "1 (other values are not supported)");
    }
    int tensor = options.get(TENSOR);
    int pipeline = options.get(PIPELINE);
    int devices = Math.max(1, worker.devices().size());
    if (devices % (tensor * pipeline) != 0) {
      throw new UserException(
          "%s.%s × %s: %d × %d does not divide the %d devices of %s.device_mapping"
              .formatted(
                  where, TENSOR.name(), PIPELINE.name(), tensor, pipeline, devices, worker.role()));
    }
    return new ParallelLayout(
        devices / (tensor * pipeline),
        pipeline,
        tensor,
        options.get(DISTRIBUTED) ? 1 : 0,
        options.get(SEQUENCE) && tensor > 1,
        recompute(options),
        0,
        false,
        Offload.NOTHING);
  }

  private ParallelLayout.Recompute recompute(Options options) {
    return options
        .find(RECOMPUTE)
        .map(
            word ->
                word.equals(FULL)
                    ? ParallelLayout.Recompute.FULL
                    : ParallelLayout.Recompute.SELECTIVE)
        .orElse(
            worker.model().checkpointing()
                ? ParallelLayout.Recompute.FULL
                : ParallelLayout.Recompute.NONE);
  }

  @Override
  public ParallelLayout layout(DecoderSpec spec) {
    ParallelLayout layout = layout();
    divides(TENSOR, layout.tensor(), spec.attention().heads(), "attention heads");
    divides(TENSOR, layout.tensor(), spec.attention().keyValueHeads(), "key and value heads");
    divides(TENSOR, layout.tensor(), spec.vocabulary(), "vocabulary tokens");
    divides(TENSOR, layout.tensor(), spec.intermediate(), "columns of the feed-forward layers");
    if (layout.pipeline() > spec.layers()) {
      throw new UserException(
          "%s.%s: %d stages for %d layers"
              .formatted(where, PIPELINE.name(), layout.pipeline(), spec.layers()));
    }
    VisionSpec vision = spec.vision();
    int deep = vision == null ? 0 : vision.vectors() - 1;
    if (deep > spec.layers() / layout.pipeline()) {
      throw new UserException(
          "%s.%s: %d stages for %d layers: the first must have the %d to which DeepStack adds"
              .formatted(where, PIPELINE.name(), layout.pipeline(), spec.layers(), deep));
    }
    if (layout.sequenceParallel() && spec.maxPositions() % layout.tensor() != 0) {
      throw new UserException(
          "%s.%s: %s %d does not divide the model's %d positions"
              .formatted(
                  where, SEQUENCE.name(), TENSOR.name(), layout.tensor(), spec.maxPositions()));
    }
    return layout;
  }

  private void divides(Option<?> option, int parts, int whole, String what) {
    if (whole % parts != 0) {
      throw new UserException(
          "%s.%s: %d does not divide the model's %d %s"
              .formatted(where, option.name(), parts, whole, what));
    }
  }
}
