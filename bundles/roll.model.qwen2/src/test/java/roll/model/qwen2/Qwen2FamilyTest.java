package roll.model.qwen2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import roll.api.model.Rope;
import roll.decoder.DecoderParameters;

/** Tests the reading of Qwen2's config.json, and refusals. */
final class Qwen2FamilyTest {
  private final Qwen2Family family = new Qwen2Family();

  /** The config.json of Qwen2.5-0.5B-Instruct, without what is not read. */
  private static Map<String, @Nullable Object> half() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("model_type", "qwen2"),
            Map.entry("hidden_act", "silu"),
            Map.entry("hidden_size", 896L),
            Map.entry("initializer_range", 0.02),
            Map.entry("intermediate_size", 4864L),
            Map.entry("max_position_embeddings", 32768L),
            Map.entry("num_attention_heads", 14L),
            Map.entry("num_hidden_layers", 24L),
            Map.entry("num_key_value_heads", 2L),
            Map.entry("rms_norm_eps", 1e-6),
            Map.entry("rope_theta", 1000000.0),
            Map.entry("sliding_window", 32768L),
            Map.entry("tie_word_embeddings", true),
            Map.entry("use_sliding_window", false),
            Map.entry("vocab_size", 151936L)));
  }

  @Test
  void theHalfBillionModelIsUnderstood() {
    DecoderSpec spec = family.describe("config.json", half());
    assertEquals(new Attention(14, 2, 64), spec.attention());
    assertEquals(Rope.standard(1e6, 64), spec.rope());
    assertEquals(Set.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.TIED_HEAD), spec.traits());
    assertEquals(1 + 24 * 12 + 1, DecoderParameters.of(spec).size());
    assertEquals(494_032_768L, DecoderParameters.size(spec)); // as Hugging Face counts them
    assertEquals("model.embed_tokens.weight", DecoderParameters.of(spec).getFirst().name());
    assertEquals("model.norm.weight", DecoderParameters.of(spec).getLast().name());
    assertEquals("model.layers.0.self_attn.k_proj.bias", DecoderParameters.of(spec).get(4).name());
    assertEquals(List.of(128), DecoderParameters.of(spec).get(4).shape());
  }

  @Test
  void anUntiedHeadIsAParameter() {
    Map<String, @Nullable Object> config = half();
    config.remove("tie_word_embeddings"); // false where absent
    DecoderSpec spec = family.describe("config.json", config);
    assertFalse(spec.has(Trait.TIED_HEAD));
    assertEquals("lm_head.weight", DecoderParameters.of(spec).getLast().name());
    assertEquals(List.of(151936, 896), DecoderParameters.of(spec).getLast().shape());
  }

  @Test
  void slidingWindowsAreRefused() {
    Map<String, @Nullable Object> config = half();
    config.put("use_sliding_window", true);
    assertEquals(
        "m/config.json: use_sliding_window: true is not supported (allowed: false)",
        userError(() -> family.describe("m/config.json", config)));
  }
}
