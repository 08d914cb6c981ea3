package roll.huggingface;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderParameters;

/**
 * The fields of a PEFT adapter_config.json. Unsupported features that change the meaning of
 * adapters are refused; the adapted modules follow from the tensors.
 *
 * <p>Fields and defaults as in PEFT, tuners/lora/config.py and config.py.
 *
 * @param base base model named by the file, or empty
 * @param rank of every adapter
 * @param alpha see {@link Adapter}
 * @param rankStabilized see {@link Adapter}
 * @param dropout see {@link Adapter}
 */
record PeftConfig(String base, int rank, double alpha, boolean rankStabilized, double dropout) {
  static final String FILE = "adapter_config.json";

  /** The only supported values of fields. */
  private static final Map<String, Object> ONLY =
      Map.ofEntries(
          Map.entry("bias", "none"),
          Map.entry("lora_bias", false),
          Map.entry("use_dora", false),
          Map.entry("use_qalora", false),
          Map.entry("fan_in_fan_out", false),
          Map.entry("rank_pattern", Map.of()),
          Map.entry("alpha_pattern", Map.of()),
          Map.entry("layer_replication", List.of()),
          Map.entry("modules_to_save", List.of()),
          Map.entry("target_parameters", List.of()),
          Map.entry("trainable_token_indices", List.of()));

  /** Names of initializations that keep the base model's weights. */
  private static final Set<Object> STARTS = Set.of(true, false, "gaussian", "orthogonal", "eva");

  private static final Gson GSON =
      new GsonBuilder()
          .setFormattingStyle(FormattingStyle.PRETTY)
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  /**
   * Reads the adapter_config.json {@code file}.
   *
   * @throws UserException if it is malformed or not supported
   */
  static PeftConfig read(Path file) {
    Map<String, @Nullable Object> json = ModelFolder.readJson(file);
    ConfigReader config = new ConfigReader(file.toString(), json);
    if (!config.text("peft_type").equals("LORA")) {
      throw config.unsupported("peft_type", config.text("peft_type"), "LORA");
    }
    ONLY.forEach(config::refuseUnless);
    Object start = json.get("init_lora_weights");
    if (start != null && !STARTS.contains(start)) {
      throw config.unsupported("init_lora_weights", start, "those that keep the base model");
    }
    return new PeftConfig(
        config.has("base_model_name_or_path") ? config.text("base_model_name_or_path") : "",
        config.count("r", 8),
        config.positive("lora_alpha", 8),
        config.flag("use_rslora", false),
        config.share("lora_dropout", 0));
  }

  /** Returns the low-rank adapters of the target modules {@code modules}. */
  Adapter adapter(Set<String> modules) {
    return new Adapter(rank, alpha, rankStabilized, dropout, modules);
  }

  /**
   * Returns the text of the file for {@code adapter}, with sorted keys as in PEFT, and the fields
   * of PEFT 0.10, which later versions read.
   *
   * @param spec the base model
   * @param base path of the base model
   */
  static String text(Adapter adapter, DecoderSpec spec, String base) {
    Map<String, @Nullable Object> config = new TreeMap<>();
    for (String unset :
        List.of(
            "auto_mapping",
            "layer_replication",
            "layers_pattern",
            "layers_to_transform",
            "megatron_config",
            "modules_to_save",
            "revision")) {
      config.put(unset, null);
    }
    config.put("alpha_pattern", Map.of());
    config.put("base_model_name_or_path", base);
    config.put("bias", "none");
    config.put("fan_in_fan_out", false);
    config.put("inference_mode", true);
    config.put("init_lora_weights", true);
    config.put("loftq_config", Map.of());
    config.put("lora_alpha", whole(adapter.alpha()));
    config.put("lora_dropout", adapter.dropout());
    config.put("megatron_core", "megatron.core");
    config.put("peft_type", "LORA");
    config.put("r", adapter.rank());
    config.put("rank_pattern", Map.of());
    config.put("target_modules", targets(adapter, spec));
    config.put("task_type", "CAUSAL_LM");
    config.put("use_dora", false);
    config.put("use_rslora", adapter.rankStabilized());
    return GSON.toJson(config) + "\n";
  }

  /** Returns names that select exactly the adapted modules, short ones if every layer has them. */
  private static List<String> targets(Adapter adapter, DecoderSpec spec) {
    Map<String, List<String>> byName =
        DecoderParameters.projections(spec).stream()
            .collect(Collectors.groupingBy(LoraTargets::last));
    return DecoderParameters.projections(spec).stream()
        .filter(adapter.modules()::contains)
        .map(
            module -> {
              String name = LoraTargets.last(module);
              return adapter.modules().containsAll(byName.getOrDefault(name, List.of()))
                  ? everywhere(spec, module)
                  : StoredNames.published(spec, module);
            })
        .distinct()
        .toList();
  }

  /**
   * Returns the pattern for projection {@code module} in every layer. With a vision tower, which
   * shares some names, the layers are included, from where all versions of transformers agree.
   */
  private static String everywhere(DecoderSpec spec, String module) {
    return spec.vision() == null
        ? LoraTargets.last(module)
        : module.substring(module.indexOf("layers."));
  }

  private static Number whole(double alpha) {
    if (alpha == Math.rint(alpha) && alpha < Integer.MAX_VALUE) {
      return (int) alpha;
    }
    return alpha;
  }
}
