package roll.model.llama;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.decoder.DecoderParameters;

/** Tests the reading of Llama's config.json. */
final class LlamaFamilyTest {
  private final LlamaFamily family = new LlamaFamily();

  /** The config.json of Llama-3.2-1B, without what is not read. */
  private static Map<String, @Nullable Object> one() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("model_type", "llama"),
            Map.entry("attention_bias", false),
            Map.entry("attention_dropout", 0.0),
            Map.entry("head_dim", 64L),
            Map.entry("hidden_act", "silu"),
            Map.entry("hidden_size", 2048L),
            Map.entry("intermediate_size", 8192L),
            Map.entry("max_position_embeddings", 131072L),
            Map.entry("mlp_bias", false),
            Map.entry("num_attention_heads", 32L),
            Map.entry("num_hidden_layers", 16L),
            Map.entry("num_key_value_heads", 8L),
            Map.entry("rms_norm_eps", 1e-5),
            Map.entry(
                "rope_scaling",
                Map.of(
                    "factor", 32.0,
                    "high_freq_factor", 4.0,
                    "low_freq_factor", 1.0,
                    "original_max_position_embeddings", 8192L,
                    "rope_type", "llama3")),
            Map.entry("rope_theta", 500000.0),
            Map.entry("tie_word_embeddings", true),
            Map.entry("vocab_size", 128256L)));
  }

  @Test
  void theThirdGenerationIsUnderstood() {
    DecoderSpec spec = family.describe("config.json", one());
    assertEquals(1_235_814_400L, DecoderParameters.size(spec)); // as Hugging Face counts them
    assertEquals(new Attention(32, 8, 64), spec.attention());
    assertEquals(131_072, spec.maxPositions());
    assertEquals(1e-5, spec.normEpsilon());
    assertEquals(Set.of(Trait.TIED_HEAD), spec.traits());
    assertEquals(Rope.standard(500_000, 64).llama3(32, 1, 4, 8192), spec.rope());
  }

  /** Llama-2-7b says neither key-value heads nor the base of its positions. */
  @Test
  void theSecondGenerationIsUnderstood() {
    Map<String, @Nullable Object> config =
        new HashMap<>(
            Map.of(
                "model_type", "llama",
                "hidden_size", 4096L,
                "intermediate_size", 11008L,
                "num_attention_heads", 32L,
                "num_hidden_layers", 32L,
                "pretraining_tp", 1L,
                "vocab_size", 32000L));
    config.put("rope_scaling", null);
    DecoderSpec spec = family.describe("config.json", config);
    assertEquals(6_738_415_616L, DecoderParameters.size(spec));
    assertEquals(new Attention(32, 32, 128), spec.attention());
    assertEquals(Rope.standard(10_000, 128), spec.rope());
    assertEquals(2048, spec.maxPositions());
    assertEquals(Set.of(), spec.traits());
  }

  @Test
  void biasesAreAskedFor() {
    Map<String, @Nullable Object> config = one();
    config.put("attention_bias", true);
    config.put("mlp_bias", true);
    assertEquals(
        Set.of(
            Trait.QUERY_KEY_VALUE_BIAS,
            Trait.OUTPUT_BIAS,
            Trait.FEED_FORWARD_BIAS,
            Trait.TIED_HEAD),
        family.describe("config.json", config).traits());
  }
}
