package roll.model.qwen2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Start;
import roll.api.model.ModelFamily;
import roll.api.model.RollModel;

/**
 * Qwen2 and Qwen2.5: grouped-query attention with biases on query, key and value, rotary positions,
 * RMSNorm, SwiGLU, a tied or untied head (Qwen2 Technical Report, 2024, section 2).
 *
 * <p>Names and defaults as in Hugging Face transformers, models/qwen2/configuration_qwen2.py and
 * modeling_qwen2.py.
 */
@Component(name = "roll.model.qwen2")
@RollModel("qwen2")
public final class Qwen2Family implements ModelFamily {
  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    read.refuseUnless("hidden_act", "silu");
    read.refuseUnless("use_sliding_window", false);
    read.refuseUnless("rope_scaling", null);
    read.refuseUnless("attention_dropout", 0.0);
    int hidden = read.count("hidden_size");
    int heads = read.count("num_attention_heads");
    int keyValueHeads = read.count("num_key_value_heads", heads);
    int headSize = read.count("head_dim", read.quotient("hidden_size", "num_attention_heads"));
    read.requireDivisible("num_attention_heads", heads, "num_key_value_heads", keyValueHeads);
    read.requireDivisible("the size of a head", headSize, "the halves rotary positions need", 2);
    DecoderSpec shape =
        new DecoderSpec(
            "qwen2",
            read.count("vocab_size"),
            hidden,
            read.count("intermediate_size"),
            read.count("num_hidden_layers"),
            heads,
            keyValueHeads,
            headSize,
            read.count("max_position_embeddings", 32768),
            read.positive("rms_norm_eps", 1e-6),
            read.positive("rope_theta", 10000),
            true,
            read.flag("tie_word_embeddings", false),
            read.positive("initializer_range", 0.02),
            List.of());
    return withParameters(shape, parameters(shape));
  }

  private static List<Parameter> parameters(DecoderSpec spec) {
    int queries = spec.heads() * spec.headSize();
    int keys = spec.keyValueHeads() * spec.headSize();
    List<Parameter> all = new ArrayList<>();
    all.add(weight("model.embed_tokens", spec.vocabulary(), spec.hidden()));
    for (int i = 0; i < spec.layers(); i++) {
      String layer = "model.layers." + i + ".";
      all.add(weight(layer + "self_attn.q_proj", queries, spec.hidden()));
      all.add(bias(layer + "self_attn.q_proj", queries));
      all.add(weight(layer + "self_attn.k_proj", keys, spec.hidden()));
      all.add(bias(layer + "self_attn.k_proj", keys));
      all.add(weight(layer + "self_attn.v_proj", keys, spec.hidden()));
      all.add(bias(layer + "self_attn.v_proj", keys));
      all.add(weight(layer + "self_attn.o_proj", spec.hidden(), queries));
      all.add(weight(layer + "mlp.gate_proj", spec.intermediate(), spec.hidden()));
      all.add(weight(layer + "mlp.up_proj", spec.intermediate(), spec.hidden()));
      all.add(weight(layer + "mlp.down_proj", spec.hidden(), spec.intermediate()));
      all.add(norm(layer + "input_layernorm", spec.hidden()));
      all.add(norm(layer + "post_attention_layernorm", spec.hidden()));
    }
    all.add(norm("model.norm", spec.hidden()));
    if (!spec.tiedHead()) {
      all.add(weight("lm_head", spec.vocabulary(), spec.hidden()));
    }
    return List.copyOf(all);
  }

  private static Parameter weight(String name, int rows, int columns) {
    return new Parameter(name + ".weight", List.of(rows, columns), Start.NORMAL);
  }

  private static Parameter bias(String name, int size) {
    return new Parameter(name + ".bias", List.of(size), Start.ZEROS);
  }

  private static Parameter norm(String name, int size) {
    return new Parameter(name + ".weight", List.of(size), Start.ONES);
  }

  private static DecoderSpec withParameters(DecoderSpec spec, List<Parameter> parameters) {
    return new DecoderSpec(
        spec.modelType(),
        spec.vocabulary(),
        spec.hidden(),
        spec.intermediate(),
        spec.layers(),
        spec.heads(),
        spec.keyValueHeads(),
        spec.headSize(),
        spec.maxPositions(),
        spec.normEpsilon(),
        spec.ropeTheta(),
        spec.qkvBias(),
        spec.tiedHead(),
        spec.initializerRange(),
        parameters);
  }
}
