package roll.strategy.megatron;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.torch.parallel.ParallelOptions;
import roll.torch.parallel.shard.Offload;
import roll.torch.parallel.shard.ParallelLayout;

/** The keys of {@code strategy_config}, as Megatron-LM and ROLL name them. */
final class MegatronOptions implements ParallelOptions {
  private static final String TENSOR = "tensor_model_parallel_size";
  private static final String PIPELINE = "pipeline_model_parallel_size";
  private static final String SEQUENCE = "sequence_parallel";
  private static final String DISTRIBUTED = "use_distributed_optimizer";
  private static final String RECOMPUTE = "recompute_granularity";

  /** More ranks than this have no machine. */
  private static final int MOST = 4096;

  /** Kinds of parallelism that are not built: only 1 is accepted. */
  private static final List<String> ONE =
      List.of(
          "context_parallel_size",
          "expert_model_parallel_size",
          "expert_tensor_parallel_size",
          "virtual_pipeline_model_parallel_size");

  /** Keys that say how, and not what: that is settled here. */
  private static final Set<String> HOW =
      Set.of(
          "overlap_grad_reduce",
          "overlap_param_gather",
          "recompute_method",
          "recompute_num_layers",
          "moe_token_dispatcher_type",
          "moe_grouped_gemm",
          "moe_layer_recompute",
          "cross_entropy_loss_fusion",
          "bias_activation_fusion",
          "apply_rope_fusion",
          "transformer_impl",
          "account_for_embedding_in_pipeline_split",
          "account_for_loss_in_pipeline_split",
          "save_only_model");

  private static final List<OptionInfo> KNOWN = known();

  private final WorkerConfig worker;
  private final String where;

  MegatronOptions(WorkerConfig worker) {
    this.worker = worker;
    this.where = worker.role() + ".strategy_args.strategy_config";
  }

  /** What {@code strategy_config} may contain. */
  static List<OptionInfo> known() {
    List<OptionInfo> known = new ArrayList<>();
    known.add(new OptionInfo(TENSOR, OptionInfo.Type.INTEGER, 1, "ranks every layer is cut over"));
    known.add(
        new OptionInfo(PIPELINE, OptionInfo.Type.INTEGER, 1, "stages the layers are cut into"));
    known.add(
        new OptionInfo(
            SEQUENCE,
            OptionInfo.Type.BOOLEAN,
            false,
            "tensor-parallel ranks keep a share of the tokens each between the halves of layers"));
    known.add(
        new OptionInfo(
            DISTRIBUTED,
            OptionInfo.Type.BOOLEAN,
            false,
            "the optimizer's state is cut over the data-parallel ranks"));
    known.add(
        new OptionInfo(
            RECOMPUTE,
            OptionInfo.Type.TEXT,
            null,
            "what runs again for the backward pass: full, or selective (attention)"));
    for (String name : ONE) {
      known.add(new OptionInfo(name, OptionInfo.Type.INTEGER, 1, "1"));
    }
    return List.copyOf(known);
  }

  @Override
  public List<String> notices() {
    return worker.strategyOptions().keySet().stream()
        .filter(HOW::contains)
        .map(key -> where + "." + key + " has no effect here")
        .toList();
  }

  @Override
  public ParallelLayout layout() {
    Map<String, Object> given = new LinkedHashMap<>(worker.strategyOptions());
    given.keySet().removeAll(HOW);
    Options options = Options.of(where, given, KNOWN);
    for (String name : ONE) {
      if (options.integer(name, 0, MOST) > 1) {
        throw options.wrong(name, "1 (other values are not built)");
      }
    }
    int tensor = options.integer(TENSOR, 1, MOST);
    int pipeline = options.integer(PIPELINE, 1, MOST);
    int devices = Math.max(1, worker.devices().size());
    if (devices % (tensor * pipeline) != 0) {
      throw new UserException(
          "%s.%s × %s: %d × %d does not divide the %d devices of %s.device_mapping"
              .formatted(where, TENSOR, PIPELINE, tensor, pipeline, devices, worker.role()));
    }
    return new ParallelLayout(
        devices / (tensor * pipeline),
        pipeline,
        tensor,
        options.flag(DISTRIBUTED) ? 1 : 0,
        options.flag(SEQUENCE) && tensor > 1,
        recompute(options),
        0,
        false,
        Offload.NOTHING);
  }

  private ParallelLayout.Recompute recompute(Options options) {
    if (!options.has(RECOMPUTE)) {
      return worker.model().checkpointing()
          ? ParallelLayout.Recompute.FULL
          : ParallelLayout.Recompute.NONE;
    }
    return options.word(RECOMPUTE, "full", "selective").equals("full")
        ? ParallelLayout.Recompute.FULL
        : ParallelLayout.Recompute.SELECTIVE;
  }

  @Override
  public ParallelLayout layout(DecoderSpec spec) {
    ParallelLayout layout = layout();
    divides(TENSOR, layout.tensor(), spec.attention().heads(), "attention heads");
    divides(TENSOR, layout.tensor(), spec.attention().keyValueHeads(), "key and value heads");
    divides(TENSOR, layout.tensor(), spec.vocabulary(), "words of the vocabulary");
    divides(TENSOR, layout.tensor(), spec.intermediate(), "columns of the feed-forward layers");
    if (layout.pipeline() > spec.layers()) {
      throw new UserException(
          "%s.%s: %d stages for %d layers"
              .formatted(where, PIPELINE, layout.pipeline(), spec.layers()));
    }
    if (layout.sequenceParallel() && spec.maxPositions() % layout.tensor() != 0) {
      throw new UserException(
          "%s.%s: %s %d does not divide the model's %d positions"
              .formatted(where, SEQUENCE, TENSOR, layout.tensor(), spec.maxPositions()));
    }
    return layout;
  }

  private void divides(String key, int parts, int whole, String what) {
    if (whole % parts != 0) {
      throw new UserException(
          "%s.%s: %d does not divide the model's %d %s".formatted(where, key, parts, whole, what));
    }
  }
}
