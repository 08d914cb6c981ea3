package roll.model.qwen3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;

/** Tests the reading of Qwen3's config.json. */
final class Qwen3FamilyTest {
  private final Qwen3Family family = new Qwen3Family();

  /** The config.json of Qwen3-0.6B, without what is not read. */
  private static Map<String, @Nullable Object> small() {
    Map<String, @Nullable Object> config =
        new HashMap<>(
            Map.ofEntries(
                Map.entry("model_type", "qwen3"),
                Map.entry("attention_bias", false),
                Map.entry("attention_dropout", 0.0),
                Map.entry("head_dim", 128L),
                Map.entry("hidden_act", "silu"),
                Map.entry("hidden_size", 1024L),
                Map.entry("intermediate_size", 3072L),
                Map.entry("max_position_embeddings", 40960L),
                Map.entry("max_window_layers", 28L),
                Map.entry("num_attention_heads", 16L),
                Map.entry("num_hidden_layers", 28L),
                Map.entry("num_key_value_heads", 8L),
                Map.entry("rms_norm_eps", 1e-6),
                Map.entry("rope_theta", 1000000L),
                Map.entry("tie_word_embeddings", true),
                Map.entry("use_sliding_window", false),
                Map.entry("vocab_size", 151936L)));
    config.put("rope_scaling", null);
    config.put("sliding_window", null);
    return config;
  }

  @Test
  void theSmallestIsUnderstood() {
    DecoderSpec spec = family.describe("config.json", small());
    assertEquals(596_049_920L, DecoderParameters.size(spec)); // as Hugging Face counts them
    assertEquals(new Attention(16, 8, 128), spec.attention());
    assertEquals(Set.of(Trait.QUERY_KEY_NORM, Trait.TIED_HEAD), spec.traits());
    var norm = DecoderParameters.layer(spec, 3).get(4);
    assertEquals("model.layers.3.self_attn.q_norm.weight", norm.name());
    assertEquals(List.of(128), norm.shape());
  }

  @Test
  void headsAre128WideUnlessSaid() {
    Map<String, @Nullable Object> config = small();
    config.remove("head_dim");
    assertEquals(128, family.describe("config.json", config).attention().headSize());
  }

  @Test
  void biasesAreAskedFor() {
    Map<String, @Nullable Object> config = small();
    config.put("attention_bias", true);
    Set<Trait> traits = family.describe("config.json", config).traits();
    assertEquals(
        Set.of(
            Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS, Trait.QUERY_KEY_NORM, Trait.TIED_HEAD),
        traits);
  }

  @Test
  void longContextsAreStretched() {
    Map<String, @Nullable Object> config = small();
    config.put("rope_scaling", Map.of("rope_type", "yarn", "factor", 4.0));
    assertEquals(
        1 + 0.1 * Math.log(4), family.describe("config.json", config).rope().attentionFactor());
  }

  @Test
  void otherStretchingIsRefused() {
    Map<String, @Nullable Object> config = small();
    config.put("rope_scaling", Map.of("rope_type", "longrope", "factor", 4.0));
    assertEquals(
        "m/config.json: rope_scaling.rope_type: longrope is not supported (allowed: default,"
            + " linear, llama3, yarn)",
        userError(() -> family.describe("m/config.json", config)));
  }
}
