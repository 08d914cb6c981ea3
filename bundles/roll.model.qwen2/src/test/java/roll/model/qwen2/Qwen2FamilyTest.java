package roll.model.qwen2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.UserException;
import roll.api.model.DecoderSpec;

/** What a config.json of Qwen2 means, and what is refused. */
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
    assertEquals(64, spec.headSize());
    assertTrue(spec.tiedHead());
    assertEquals(1 + 24 * 12 + 1, spec.parameters().size());
    assertEquals(494_032_768L, spec.size()); // as Hugging Face counts them
    assertEquals("model.embed_tokens.weight", spec.parameters().getFirst().name());
    assertEquals("model.norm.weight", spec.parameters().getLast().name());
    assertEquals("model.layers.0.self_attn.k_proj.bias", spec.parameters().get(4).name());
    assertEquals(List.of(128), spec.parameters().get(4).shape());
  }

  @Test
  void anUntiedHeadIsAParameter() {
    Map<String, @Nullable Object> config = half();
    config.remove("tie_word_embeddings"); // false where absent
    DecoderSpec spec = family.describe("config.json", config);
    assertFalse(spec.tiedHead());
    assertEquals("lm_head.weight", spec.parameters().getLast().name());
    assertEquals(List.of(151936, 896), spec.parameters().getLast().shape());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "use_sliding_window|true|m/config.json: use_sliding_window: true is not supported (allowed:"
            + " false)",
        "hidden_act|gelu|m/config.json: hidden_act: gelu is not supported (allowed: silu)",
        "rope_scaling|yarn|m/config.json: rope_scaling: yarn is not supported (allowed: null)",
        "hidden_size|0|m/config.json: hidden_size: expected a whole number from 1 up, found '0'",
        "hidden_size|1.5|m/config.json: hidden_size: expected a whole number from 1 up, found"
            + " '1.5'",
        "vocab_size|many|m/config.json: vocab_size: expected a whole number from 1 up, found"
            + " 'many'",
        "vocab_size||m/config.json: vocab_size: expected a whole number from 1 up, found nothing",
        "num_attention_heads|13|m/config.json: hidden_size (896) is not divisible by"
            + " num_attention_heads (13)",
        "num_key_value_heads|4|m/config.json: num_attention_heads (14) is not divisible by"
            + " num_key_value_heads (4)",
        "rms_norm_eps|0|m/config.json: rms_norm_eps: expected a number above 0, found '0'",
        "tie_word_embeddings|1|m/config.json: tie_word_embeddings: expected true or false, found"
            + " '1'",
      })
  void wrongFieldsAreRefused(String key, @Nullable String text, String message) {
    Map<String, @Nullable Object> config = half();
    config.put(key, value(text));
    UserException refusal =
        assertThrows(UserException.class, () -> family.describe("m/config.json", config));
    assertEquals(message, refusal.getMessage());
  }

  private static @Nullable Object value(@Nullable String text) {
    if (text == null) {
      return null;
    }
    if (text.equals("true")) {
      return true;
    }
    if (text.matches("\\d+")) {
      return Long.valueOf(text);
    }
    return text.matches("[\\d.]+") ? (Object) Double.valueOf(text) : text;
  }
}
