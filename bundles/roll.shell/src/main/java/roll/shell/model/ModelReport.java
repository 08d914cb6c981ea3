package roll.shell.model;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.VisionSpec;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelFacts;
import roll.decoder.ModelMemoryEstimate;
import roll.shell.terminal.Table;
import roll.text.ByteSize;

/**
 * The output of {@code model show}, as text or JSON.
 *
 * @param facts about the folder
 * @param rank of LoRA adapters
 * @param machine memory of this machine in bytes
 */
record ModelReport(ModelFacts facts, int rank, long machine) {
  /** transformers' names of the number formats of safetensors. */
  private static final Map<String, String> DTYPES =
      Map.of("F32", "float32", "F16", "float16", "BF16", "bfloat16");

  /** Returns the text of the model report. */
  String text() {
    DecoderSpec spec = facts.spec();
    Attention attention = spec.attention();
    Table shapes = new Table();
    shapes.row("family", spec.modelType());
    shapes.row("parameters", "%,d".formatted(DecoderParameters.size(spec.with(null))));
    Experts experts = spec.experts();
    if (experts != null) {
      shapes.row(
          "active",
          "%,d parameters per token: %d of %d experts"
              .formatted(
                  DecoderParameters.active(spec.with(null)), experts.chosen(), experts.count()));
    }
    shapes.row("weights", weights());
    Adapter adapter = spec.adapter();
    if (adapter != null) {
      shapes.row(
          "adapters",
          "%,d parameters: rank %d, alpha %s, on %d projections"
              .formatted(
                  adapters(), adapter.rank(), number(adapter.alpha()), adapter.modules().size()));
    }
    shapes.row(
        "layers",
        "%,d of width %,d, %s %,d"
            .formatted(
                spec.layers(),
                spec.hidden(),
                experts == null ? "feed-forward" : "feed-forward of each expert",
                spec.intermediate()));
    shapes.row(
        "heads",
        "%d of width %d, %d for keys and values"
            .formatted(attention.heads(), attention.headSize(), attention.keyValueHeads()));
    VisionSpec vision = spec.vision();
    if (vision != null) {
      shapes.row(
          "vision encoder",
          "%,d parameters (included above): %,d layers of width %,d, feed-forward %,d"
              .formatted(tower(), vision.layers(), vision.hidden(), vision.intermediate()));
    }
    shapes.row("features", features());
    shapes.row("vocabulary", "%,d".formatted(spec.vocabulary()));
    shapes.row("context", "%,d".formatted(spec.maxPositions()));
    ModelMemoryEstimate need = facts.memory();
    Table memory = new Table().row("memory", "fp32", "bf16");
    row(memory, "inference", need::inference);
    row(memory, "  + each token in the KV cache", need::cachedToken);
    row(memory, "full training", need::training);
    row(memory, "LoRA of rank " + rank, dtype -> need.lora(dtype, rank));
    return shapes
        + "\n\n"
        + memory
        + "\n\nTraining also needs memory for activations.\n"
        + fits(need);
  }

  private String fits(ModelMemoryEstimate need) {
    String has = "This machine has %s: inference fits ".formatted(ByteSize.of(machine));
    if (need.inference(Dtype.BF16) > machine) {
      return has + "in neither format.";
    }
    return has + (need.inference(Dtype.FP32) > machine ? "in bf16 only." : "in both formats.");
  }

  /** Returns the number of adapter parameters. */
  private long adapters() {
    return DecoderParameters.size(facts.spec()) - DecoderParameters.size(facts.spec().with(null));
  }

  /** Returns the number of parameters of the vision encoder. */
  private long tower() {
    return DecoderParameters.tower(facts.spec()).stream().mapToLong(Parameter::size).sum();
  }

  private static String number(double value) {
    return value == Math.rint(value) ? "%.0f".formatted(value) : Double.toString(value);
  }

  private String weights() {
    if (facts.stored().isEmpty()) {
      return "none: random initialization";
    }
    String formats =
        facts.stored().size() == 1
            ? dtype()
            : facts.stored().entrySet().stream()
                .map(e -> "%,d %s".formatted(e.getValue(), DTYPES.get(e.getKey())))
                .collect(Collectors.joining(" and "));
    return formats + ", " + ByteSize.of(facts.fileBytes());
  }

  private String features() {
    String features =
        facts.spec().traits().stream()
            .sorted()
            .map(trait -> trait.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", "));
    return features.isEmpty() ? "none" : features;
  }

  private static void row(Table table, String name, ToLongFunction<Dtype> need) {
    table.row(
        name, ByteSize.of(need.applyAsLong(Dtype.FP32)), ByteSize.of(need.applyAsLong(Dtype.BF16)));
  }

  /** Returns the fields of {@code --json}; memory in bytes. */
  Map<String, @Nullable Object> fields() {
    DecoderSpec spec = facts.spec();
    ModelMemoryEstimate need = facts.memory();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("family", spec.modelType());
    fields.put("parameters", DecoderParameters.size(spec.with(null)));
    fields.put("dtype", facts.stored().isEmpty() ? null : dtype());
    fields.put("file_bytes", facts.fileBytes());
    fields.put("num_hidden_layers", spec.layers());
    fields.put("hidden_size", spec.hidden());
    Experts experts = spec.experts();
    if (experts == null) {
      fields.put("intermediate_size", spec.intermediate());
    } else {
      fields.put("active_parameters", DecoderParameters.active(spec.with(null)));
      fields.put("moe_intermediate_size", spec.intermediate());
      fields.put("num_experts", experts.count());
      fields.put("num_experts_per_tok", experts.chosen());
    }
    fields.put("num_attention_heads", spec.attention().heads());
    fields.put("num_key_value_heads", spec.attention().keyValueHeads());
    fields.put("head_dim", spec.attention().headSize());
    fields.put("vocab_size", spec.vocabulary());
    fields.put("max_position_embeddings", spec.maxPositions());
    fields.put("tie_word_embeddings", spec.has(DecoderSpec.Trait.TIED_HEAD));
    if (spec.vision() != null) {
      fields.put("vision_parameters", tower());
    }
    Adapter adapter = spec.adapter();
    if (adapter != null) {
      Map<String, Object> adapters = new LinkedHashMap<>();
      adapters.put("parameters", adapters());
      adapters.put("r", adapter.rank());
      adapters.put("lora_alpha", adapter.alpha());
      adapters.put("modules", adapter.modules().stream().sorted().toList());
      fields.put("adapters", adapters);
    }
    Map<String, Object> memory = new LinkedHashMap<>();
    memory.put("machine", machine);
    memory.put("inference", each(need::inference));
    memory.put("cached_token", each(need::cachedToken));
    memory.put("training", each(need::training));
    Map<String, Object> lora = new LinkedHashMap<>(each(dtype -> need.lora(dtype, rank)));
    lora.put("rank", rank);
    lora.put("parameters", need.loraWeights(rank));
    memory.put("lora", lora);
    fields.put("memory", memory);
    return fields;
  }

  /** Returns the number formats, most frequent first, separated by commas. */
  private String dtype() {
    return facts.stored().entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(entry -> DTYPES.getOrDefault(entry.getKey(), entry.getKey()))
        .collect(Collectors.joining(","));
  }

  private static Map<String, Long> each(ToLongFunction<Dtype> need) {
    Map<String, Long> each = new LinkedHashMap<>();
    each.put("fp32", need.applyAsLong(Dtype.FP32));
    each.put("bf16", need.applyAsLong(Dtype.BF16));
    return each;
  }
}
