package roll.decoder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Initialization;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.option.UserException;

/** Reading and refusal of config.json fields common to all families. */
final class DecoderReaderTest {
  private static Map<String, @Nullable Object> small() {
    return new HashMap<>(
        Map.of(
            "model_type", "test",
            "vocab_size", 10L,
            "hidden_size", 12L,
            "intermediate_size", 20L,
            "num_hidden_layers", 1L,
            "num_attention_heads", 3L));
  }

  private static DecoderSpec read(Map<String, @Nullable Object> config, Trait... traits) {
    return DecoderReader.read(new ConfigReader("m/config.json", config), 64, Set.of(traits));
  }

  @Test
  void whatIsAbsentHasItsDefault() {
    DecoderSpec spec = read(small());
    assertEquals(new Attention(3, 3, 4), spec.attention());
    assertEquals(Rope.standard(10_000, 4), spec.rope());
    assertEquals(64, spec.maxPositions());
    assertEquals(1e-6, spec.normEpsilon());
    assertEquals(0.02, spec.initializerRange());
    assertEquals(Set.of(), spec.traits());
    assertEquals("test", spec.modelType());
  }

  @Test
  void headsMayHaveAWidthOfTheirOwn() {
    Map<String, @Nullable Object> config = small();
    config.put("num_attention_heads", 5L);
    config.put("head_dim", 6L);
    assertEquals(30, read(config).attention().queries());
    config.remove("head_dim");
    DecoderSpec wide = DecoderReader.read(new ConfigReader("m", config), 64, 16, Set.of());
    assertEquals(16, wide.attention().headSize());
  }

  @Test
  void traitsNameTheParameters() {
    Map<String, @Nullable Object> config = small();
    assertEquals(
        List.of(
            "model.embed_tokens.weight",
            "model.layers.0.self_attn.q_proj.weight",
            "model.layers.0.self_attn.k_proj.weight",
            "model.layers.0.self_attn.v_proj.weight",
            "model.layers.0.self_attn.o_proj.weight",
            "model.layers.0.mlp.gate_proj.weight",
            "model.layers.0.mlp.up_proj.weight",
            "model.layers.0.mlp.down_proj.weight",
            "model.layers.0.input_layernorm.weight",
            "model.layers.0.post_attention_layernorm.weight",
            "model.norm.weight",
            "lm_head.weight"),
        DecoderParameters.of(read(config)).stream().map(Parameter::name).toList());
    config.put("tie_word_embeddings", true);
    DecoderSpec all =
        read(
            config,
            Trait.QUERY_KEY_VALUE_BIAS,
            Trait.OUTPUT_BIAS,
            Trait.QUERY_KEY_NORM,
            Trait.FEED_FORWARD_BIAS);
    assertEquals(
        List.of(
            "model.layers.0.self_attn.q_proj.weight",
            "model.layers.0.self_attn.q_proj.bias",
            "model.layers.0.self_attn.k_proj.weight",
            "model.layers.0.self_attn.k_proj.bias",
            "model.layers.0.self_attn.v_proj.weight",
            "model.layers.0.self_attn.v_proj.bias",
            "model.layers.0.self_attn.o_proj.weight",
            "model.layers.0.self_attn.o_proj.bias",
            "model.layers.0.self_attn.q_norm.weight",
            "model.layers.0.self_attn.k_norm.weight",
            "model.layers.0.mlp.gate_proj.weight",
            "model.layers.0.mlp.gate_proj.bias",
            "model.layers.0.mlp.up_proj.weight",
            "model.layers.0.mlp.up_proj.bias",
            "model.layers.0.mlp.down_proj.weight",
            "model.layers.0.mlp.down_proj.bias",
            "model.layers.0.input_layernorm.weight",
            "model.layers.0.post_attention_layernorm.weight"),
        DecoderParameters.layer(all, 0).stream().map(Parameter::name).toList());
    assertEquals(1 + 18 + 1, DecoderParameters.of(all).size());
    assertEquals("model.norm.weight", DecoderParameters.of(all).getLast().name());
  }

  @ParameterizedTest
  @CsvSource({
    "TestForCausalLM, false",
    "TestForTokenClassification, true",
    "TestForSequenceClassification, true",
    "TestModel, false"
  })
  void architecturesTellAValueModel(String architecture, boolean expected) {
    Map<String, @Nullable Object> config = small();
    config.put("tie_word_embeddings", true);
    DecoderSpec language = read(config);
    config.put("architectures", List.of(architecture));
    assertEquals(expected ? language.withValueHead() : language, read(config));
    assertEquals(expected ? Trait.VALUE_HEAD : Trait.TIED_HEAD, only(read(config).traits()));
  }

  private static Trait only(Set<Trait> traits) {
    assertEquals(1, traits.size());
    return traits.iterator().next();
  }

  @Test
  void aValueHeadTakesThePlaceOfTheOther() {
    DecoderSpec language = read(small(), Trait.OUTPUT_BIAS);
    DecoderSpec value = language.withValueHead();
    List<Parameter> trunk =
        DecoderParameters.of(language).subList(0, DecoderParameters.of(language).size() - 1);
    assertEquals(trunk, DecoderParameters.of(value).subList(0, trunk.size()));
    assertEquals(
        List.of(
            new Parameter("score.weight", List.of(1, 12), Initialization.NORMAL),
            new Parameter("score.bias", List.of(1), Initialization.ZEROS)),
        DecoderParameters.head(value));
    assertEquals(trunk.size() + 2, DecoderParameters.of(value).size());
    assertEquals(value, value.withValueHead());
    assertEquals(
        List.of("lm_head.weight"),
        DecoderParameters.head(language).stream().map(Parameter::name).toList());
  }

  /** Configurations of transformers 4 and 5 that mean the same. */
  static List<Map<String, Object>> sameRope() {
    Map<String, Object> llama3 =
        Map.of("factor", 8L, "low_freq_factor", 1.0, "high_freq_factor", 4L);
    Map<String, Object> four = new HashMap<>(llama3);
    four.put("rope_type", "llama3");
    four.put("original_max_position_embeddings", 16L);
    Map<String, Object> older = new HashMap<>(four);
    older.remove("rope_type");
    older.put("type", "llama3");
    Map<String, Object> five = new HashMap<>(four);
    five.put("rope_theta", 500.0);
    Map<String, Object> whole = new HashMap<>(five);
    whole.remove("original_max_position_embeddings");
    return List.of(
        Map.of("rope_theta", 500L, "rope_scaling", four),
        Map.of("rope_theta", 500.0, "rope_scaling", older),
        Map.of("rope_parameters", five),
        Map.of("rope_theta", 7L, "rope_scaling", Map.of(), "rope_parameters", five),
        Map.of("max_position_embeddings", 16L, "rope_parameters", whole));
  }

  @ParameterizedTest
  @MethodSource("sameRope")
  void ropeIsReadFromEveryPlace(Map<String, Object> fields) {
    Map<String, @Nullable Object> config = small();
    config.putAll(fields);
    assertEquals(Rope.standard(500, 4).llama3(8, 1, 4, 16), read(config).rope());
  }

  @Test
  void linearAndDefaultRope() {
    Map<String, @Nullable Object> config = small();
    config.put("rope_scaling", Map.of("type", "linear", "factor", 2.0));
    assertEquals(Rope.standard(10_000, 4).linear(2), read(config).rope());
    config.put("rope_scaling", Map.of("rope_type", "default", "type", "yarn"));
    assertEquals(Rope.standard(10_000, 4), read(config).rope());
    config.put("rope_scaling", null);
    config.put("rope_parameters", Map.of("rope_type", "default", "rope_theta", 5e5));
    assertEquals(Rope.standard(5e5, 4), read(config).rope());
  }

  /** Fields to put, and the line they are refused with. */
  static List<Map.Entry<Map<String, Object>, String>> refusals() {
    Map<String, Object> llama3 =
        Map.of("rope_type", "llama3", "factor", 8L, "low_freq_factor", 4L, "high_freq_factor", 4L);
    return List.of(
        Map.entry(
            Map.of("rope_scaling", Map.of("rope_type", "longrope", "factor", 4.0)),
            "rope_scaling.rope_type: longrope is not supported (allowed: default, linear, llama3,"
                + " yarn)"),
        Map.entry(
            Map.of("rope_parameters", Map.of("type", "dynamic", "rope_theta", 1e6)),
            "rope_parameters.type: dynamic is not supported (allowed: default, linear, llama3,"
                + " yarn)"),
        Map.entry(
            Map.of("rope_scaling", Map.of("type", "linear")),
            "rope_scaling.factor: expected a number above 0, found nothing"),
        Map.entry(
            Map.of("rope_scaling", Map.of("type", 3L)),
            "rope_scaling.type: expected text, found '3'"),
        Map.entry(Map.of("rope_scaling", "yarn"), "rope_scaling: expected an object, found 'yarn'"),
        Map.entry(
            Map.of("rope_scaling", llama3),
            "rope_scaling.high_freq_factor: expected more than low_freq_factor 4.0, found '4'"),
        Map.entry(
            Map.of("rope_parameters", Map.of("full_attention", Map.of("rope_theta", 1e6))),
            "rope_parameters.full_attention: one of its own is not supported (allowed: the same"
                + " for every layer)"),
        Map.entry(
            Map.of("partial_rotary_factor", 0.5),
            "partial_rotary_factor: 0.5 is not supported (allowed: 1.0)"),
        Map.entry(
            Map.of("use_sliding_window", true),
            "use_sliding_window: true is not supported (allowed: false)"),
        Map.entry(
            Map.of("layer_types", List.of("full_attention", "sliding_attention")),
            "layer_types: sliding_attention is not supported (allowed: full_attention)"),
        Map.entry(
            Map.of("quantization_config", Map.of("quant_method", "gptq")),
            "quantization_config: a quantized model is not supported (allowed: f32, f16, bf16)"),
        Map.entry(
            Map.of("attention_dropout", 0.1),
            "attention_dropout: 0.1 is not supported (allowed: 0.0)"),
        Map.entry(
            Map.of("hidden_act", "gelu"), "hidden_act: gelu is not supported (allowed: silu)"),
        Map.entry(
            Map.of("head_dim", 5L),
            "head_dim: 5 is not supported (allowed: even numbers up to 65536)"),
        Map.entry(
            Map.of("head_dim", 2_000_000_000L),
            "head_dim: 2000000000 is not supported (allowed: even numbers up to 65536)"),
        Map.entry(
            Map.of("num_hidden_layers", 2_000_000_000L),
            "num_hidden_layers: 2000000000 is not supported (allowed: up to 10000)"),
        Map.entry(
            Map.of("hidden_size", 13L),
            "hidden_size (13) is not divisible by num_attention_heads (3)"),
        Map.entry(
            Map.of("num_key_value_heads", 2L),
            "num_attention_heads (3) is not divisible by num_key_value_heads (2)"),
        Map.entry(
            Map.of("hidden_size", 0L), "hidden_size: expected an integer from 1 up, found '0'"),
        Map.entry(
            Map.of("vocab_size", 1.5), "vocab_size: expected an integer from 1 up, found '1.5'"),
        Map.entry(
            Map.of("num_hidden_layers", "many"),
            "num_hidden_layers: expected an integer from 1 up, found 'many'"),
        Map.entry(Map.of("rms_norm_eps", 0L), "rms_norm_eps: expected a number above 0, found '0'"),
        Map.entry(
            Map.of("tie_word_embeddings", 1L),
            "tie_word_embeddings: expected true or false, found '1'"),
        Map.entry(
            Map.of("layer_types", "full_attention"),
            "layer_types: expected a list, found 'full_attention'"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatCannotBeComputedIsRefusedByName(Map.Entry<Map<String, Object>, String> refusal) {
    Map<String, @Nullable Object> config = small();
    config.putAll(refusal.getKey());
    UserException line = assertThrows(UserException.class, () -> read(config));
    assertEquals("m/config.json: " + refusal.getValue(), line.getMessage());
  }

  @Test
  void aMissingFieldIsNamed() {
    Map<String, @Nullable Object> config = small();
    config.remove("vocab_size");
    UserException line = assertThrows(UserException.class, () -> read(config));
    assertEquals(
        "m/config.json: vocab_size: expected an integer from 1 up, found nothing",
        line.getMessage());
  }
}
