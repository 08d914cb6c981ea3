package roll.model.seed_oss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.decoder.DecoderParameters;

/** Tests the reading of Seed-OSS's config.json. */
final class SeedOssFamilyTest {
  private final SeedOssFamily family = new SeedOssFamily();

  /** The shape of Seed-OSS-36B, without dropout. */
  private static Map<String, @Nullable Object> published() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("model_type", "seed_oss"),
            Map.entry("attention_bias", true),
            Map.entry("attention_dropout", 0.0),
            Map.entry("attention_out_bias", false),
            Map.entry("head_dim", 128L),
            Map.entry("hidden_act", "silu"),
            Map.entry("hidden_size", 5120L),
            Map.entry("intermediate_size", 27648L),
            Map.entry("max_position_embeddings", 524288L),
            Map.entry("mlp_bias", false),
            Map.entry("num_attention_heads", 80L),
            Map.entry("num_hidden_layers", 64L),
            Map.entry("num_key_value_heads", 8L),
            Map.entry("residual_dropout", 0.0),
            Map.entry("rms_norm_eps", 1e-6),
            Map.entry("rope_scaling", Map.of("rope_type", "default")),
            Map.entry("rope_theta", 10_000_000.0),
            Map.entry("tie_word_embeddings", false),
            Map.entry("vocab_size", 155136L)));
  }

  private DecoderSpec describe(Map<String, @Nullable Object> config) {
    return family.describe("m/config.json", config);
  }

  private DecoderSpec with(String key, @Nullable Object value) {
    Map<String, @Nullable Object> config = published();
    config.put(key, value);
    return describe(config);
  }

  @Test
  void thePublishedShapeIsUnderstood() {
    DecoderSpec spec = describe(published());
    assertEquals(36_151_104_512L, DecoderParameters.size(spec)); // as transformers counts them
    assertEquals(new Attention(80, 8, 128), spec.attention());
    assertEquals(524_288, spec.maxPositions());
    assertEquals(Rope.standard(10_000_000, 128), spec.rope());
    assertEquals(Set.of(Trait.QUERY_KEY_VALUE_BIAS), spec.traits());
  }

  /** In the order of state_dict(). */
  @Test
  void parametersAreNamedAsInTransformers() {
    List<Parameter> layer = DecoderParameters.layer(describe(published()), 7);
    assertEquals(
        List.of(
            "self_attn.q_proj.weight [10240, 5120]",
            "self_attn.q_proj.bias [10240]",
            "self_attn.k_proj.weight [1024, 5120]",
            "self_attn.k_proj.bias [1024]",
            "self_attn.v_proj.weight [1024, 5120]",
            "self_attn.v_proj.bias [1024]",
            "self_attn.o_proj.weight [5120, 10240]",
            "mlp.gate_proj.weight [27648, 5120]",
            "mlp.up_proj.weight [27648, 5120]",
            "mlp.down_proj.weight [5120, 27648]",
            "input_layernorm.weight [5120]",
            "post_attention_layernorm.weight [5120]"),
        layer.stream()
            .map(p -> p.name().replace("model.layers.7.", "") + " " + p.shape())
            .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "attention_bias, false, ''",
    "attention_out_bias, true, 'QUERY_KEY_VALUE_BIAS,OUTPUT_BIAS'",
    "mlp_bias, true, 'QUERY_KEY_VALUE_BIAS,FEED_FORWARD_BIAS'",
    "tie_word_embeddings, true, 'QUERY_KEY_VALUE_BIAS,TIED_HEAD'"
  })
  void eachFlagIsOneTrait(String flag, boolean value, String traits) {
    assertEquals(
        traits,
        String.join(",", with(flag, value).traits().stream().sorted().map(Trait::name).toList()));
  }

  @Test
  void whatIsAbsentIsAsInTransformers() {
    Map<String, @Nullable Object> config = published();
    for (String key :
        List.of(
            "attention_bias",
            "attention_out_bias",
            "mlp_bias",
            "head_dim",
            "max_position_embeddings",
            "tie_word_embeddings")) {
      config.remove(key);
    }
    assertEquals(describe(published()), describe(config));
    assertEquals(64, with("head_dim", null).attention().headSize()); // 5120 / 80
  }

  @ParameterizedTest
  @ValueSource(strings = {"attention_dropout", "residual_dropout"})
  void dropoutIsNotApplied(String rate) {
    assertEquals(describe(published()), with(rate, 0.1));
    assertEquals(describe(published()), with(rate, null));
  }

  @Test
  void whatIsNotComputedIsRefusedByName() {
    assertEquals(
        "m/config.json: rope_scaling.rope_type: longrope is not supported (allowed: default,"
            + " linear, llama3, yarn)",
        userError(() -> with("rope_scaling", Map.of("rope_type", "longrope", "factor", 4.0))));
    assertEquals(
        "m/config.json: hidden_act: gelu is not supported (allowed: silu)",
        userError(() -> with("hidden_act", "gelu")));
    assertEquals(
        "m/config.json: layer_types: sliding_attention is not supported (allowed: full_attention)",
        userError(() -> with("layer_types", List.of("full_attention", "sliding_attention"))));
    assertEquals(
        "m/config.json: attention_out_bias: expected true or false, found '1'",
        userError(() -> with("attention_out_bias", 1L)));
  }
}
