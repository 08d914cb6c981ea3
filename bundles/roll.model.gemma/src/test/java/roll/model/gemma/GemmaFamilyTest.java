package roll.model.gemma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Initialization;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.decoder.DecoderParameters;

/** Tests the reading of Gemma's config.json. */
final class GemmaFamilyTest {
  private static final Set<Trait> TRAITS =
      Set.of(Trait.GELU, Trait.NORM_OFFSET, Trait.SCALED_EMBEDDING, Trait.TIED_HEAD);

  private final GemmaFamily family = new GemmaFamily();

  /** The shape of Gemma-2B, which has one key head; what it does not say is the default. */
  private static Map<String, @Nullable Object> two() {
    return new HashMap<>(
        Map.of(
            "model_type", "gemma",
            "hidden_size", 2048L,
            "intermediate_size", 16384L,
            "num_attention_heads", 8L,
            "num_hidden_layers", 18L,
            "num_key_value_heads", 1L,
            "vocab_size", 256000L));
  }

  private DecoderSpec with(String key, @Nullable Object value) {
    Map<String, @Nullable Object> config = two();
    config.put(key, value);
    return family.describe("m/config.json", config);
  }

  @Test
  void theSmallerOneIsUnderstood() {
    DecoderSpec spec = with("hidden_act", "gelu_pytorch_tanh");
    assertEquals(2_506_172_416L, DecoderParameters.size(spec)); // as transformers counts them
    assertEquals(new Attention(8, 1, 256), spec.attention());
    assertEquals(8192, spec.maxPositions());
    assertEquals(Rope.standard(10_000, 256), spec.rope());
    assertEquals(TRAITS, spec.traits());
  }

  /** A norm of random weights begins as the identity: its factors are 1 + 0. */
  @Test
  void normsBeginAtZero() {
    List<DecoderSpec.Parameter> norms =
        DecoderParameters.of(with("head_dim", 256L)).stream()
            .filter(parameter -> parameter.name().contains("norm"))
            .toList();
    assertEquals(2 * 18 + 1, norms.size());
    assertTrue(norms.stream().allMatch(norm -> norm.start() == Initialization.ZEROS));
  }

  @Test
  void theHeadIsTiedUnlessSaid() {
    Set<Trait> untied = EnumSet.copyOf(TRAITS);
    untied.remove(Trait.TIED_HEAD);
    assertEquals(untied, with("tie_word_embeddings", false).traits());
    Set<Trait> value = EnumSet.copyOf(untied);
    value.add(Trait.VALUE_HEAD);
    assertEquals(value, with("architectures", List.of("GemmaForTokenClassification")).traits());
  }

  @Test
  void biasesAreAskedFor() {
    Set<Trait> biased = EnumSet.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS);
    biased.addAll(TRAITS);
    assertEquals(biased, with("attention_bias", true).traits());
  }

  @Test
  void whatIsNotComputedIsRefusedByName() {
    for (String field : List.of("hidden_act", "hidden_activation")) {
      assertEquals(
          "m/config.json: " + field + ": gelu is not supported (allowed: gelu_pytorch_tanh)",
          userError(() -> with(field, "gelu")));
    }
    assertEquals(
        "m/config.json: use_bidirectional_attention: true is not supported (allowed: false)",
        userError(() -> with("use_bidirectional_attention", true)));
    assertEquals(
        "m/config.json: attention_dropout: 0.1 is not supported (allowed: 0.0)",
        userError(() -> with("attention_dropout", 0.1)));
  }
}
