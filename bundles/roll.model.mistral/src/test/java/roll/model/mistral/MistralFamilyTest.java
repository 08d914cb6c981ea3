package roll.model.mistral;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.decoder.DecoderParameters;

/** Tests the reading of Mistral's config.json. */
final class MistralFamilyTest {
  private final MistralFamily family = new MistralFamily();

  /** The config.json of Mistral-7B-v0.1, without what is not read. */
  private static Map<String, @Nullable Object> first() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("model_type", "mistral"),
            Map.entry("hidden_act", "silu"),
            Map.entry("hidden_size", 4096L),
            Map.entry("intermediate_size", 14336L),
            Map.entry("max_position_embeddings", 32768L),
            Map.entry("num_attention_heads", 32L),
            Map.entry("num_hidden_layers", 32L),
            Map.entry("num_key_value_heads", 8L),
            Map.entry("rms_norm_eps", 1e-5),
            Map.entry("rope_theta", 10000.0),
            Map.entry("sliding_window", 4096L),
            Map.entry("tie_word_embeddings", false),
            Map.entry("vocab_size", 32000L)));
  }

  private DecoderSpec with(String key, @Nullable Object value) {
    Map<String, @Nullable Object> config = first();
    config.put(key, value);
    return family.describe("config.json", config);
  }

  @Test
  void theFirstGenerationEndsAtItsWindow() {
    DecoderSpec spec = family.describe("config.json", first());
    assertEquals(7_241_732_096L, DecoderParameters.size(spec)); // as Hugging Face counts them
    assertEquals(new Attention(32, 8, 128), spec.attention());
    assertEquals(4096, spec.maxPositions());
    assertEquals(1e-5, spec.normEpsilon());
    assertEquals(Set.of(), spec.traits());
    assertEquals(Rope.standard(10_000, 128), spec.rope());
  }

  /** Versions 2 and 3 have no window; Nemo has its own head size. */
  @Test
  void laterOnesHaveNoWindow() {
    assertEquals(32_768, with("sliding_window", null).maxPositions());
    assertEquals(32_768, with("sliding_window", 32_768L).maxPositions());
    Map<String, @Nullable Object> nemo = first();
    nemo.remove("max_position_embeddings");
    nemo.put("sliding_window", null);
    nemo.put("hidden_size", 5120L);
    nemo.put("head_dim", 128L);
    DecoderSpec spec = family.describe("config.json", nemo);
    assertEquals(131_072, spec.maxPositions());
    assertEquals(new Attention(32, 8, 128), spec.attention());
  }

  /** The class of the configuration has a window where the file says nothing. */
  @Test
  void silenceIsAWindow() {
    Map<String, @Nullable Object> config = first();
    config.remove("sliding_window");
    assertEquals(4096, family.describe("config.json", config).maxPositions());
    assertEquals(
        "config.json: sliding_window: expected an integer from 1 up, found '0'",
        userError(() -> with("sliding_window", 0L)));
  }
}
