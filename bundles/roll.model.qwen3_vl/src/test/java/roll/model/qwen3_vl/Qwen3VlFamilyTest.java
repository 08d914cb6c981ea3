package roll.model.qwen3_vl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;
import roll.decoder.DecoderParameters;

/** Tests the reading of Qwen3-VL's config.json, and refusals. */
final class Qwen3VlFamilyTest {
  private final Qwen3VlFamily family = new Qwen3VlFamily();
  private final Map<String, @Nullable Object> text = text();
  private final Map<String, @Nullable Object> vision = vision();
  private final Map<String, @Nullable Object> config = whole();

  /** The text_config of Qwen3-VL-4B-Instruct. */
  private static Map<String, @Nullable Object> text() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("model_type", "qwen3_vl_text"),
            Map.entry("attention_bias", false),
            Map.entry("attention_dropout", 0.0),
            Map.entry("head_dim", 128L),
            Map.entry("hidden_act", "silu"),
            Map.entry("hidden_size", 2560L),
            Map.entry("intermediate_size", 9728L),
            Map.entry("max_position_embeddings", 262144L),
            Map.entry("num_attention_heads", 32L),
            Map.entry("num_hidden_layers", 36L),
            Map.entry("num_key_value_heads", 8L),
            Map.entry("rms_norm_eps", 1e-6),
            Map.entry("rope_theta", 5000000L),
            Map.entry(
                "rope_scaling",
                Map.of(
                    "mrope_interleaved",
                    true,
                    "mrope_section",
                    List.of(24L, 20L, 20L),
                    "rope_type",
                    "default")),
            Map.entry("tie_word_embeddings", true),
            Map.entry("vocab_size", 151936L)));
  }

  private static Map<String, @Nullable Object> vision() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("model_type", "qwen3_vl"),
            Map.entry("deepstack_visual_indexes", List.of(5L, 11L, 17L)),
            Map.entry("depth", 24L),
            Map.entry("hidden_act", "gelu_pytorch_tanh"),
            Map.entry("hidden_size", 1024L),
            Map.entry("in_channels", 3L),
            Map.entry("intermediate_size", 4096L),
            Map.entry("num_heads", 16L),
            Map.entry("num_position_embeddings", 2304L),
            Map.entry("out_hidden_size", 2560L),
            Map.entry("patch_size", 16L),
            Map.entry("spatial_merge_size", 2L),
            Map.entry("temporal_patch_size", 2L)));
  }

  private Map<String, @Nullable Object> whole() {
    return new HashMap<>(
        Map.of(
            "model_type",
            "qwen3_vl",
            "architectures",
            List.of("Qwen3VLForConditionalGeneration"),
            "image_token_id",
            151655L,
            "video_token_id",
            151656L,
            "tie_word_embeddings",
            true,
            "text_config",
            text,
            "vision_config",
            vision));
  }

  @Test
  void theFourBillionModelIsUnderstood() {
    DecoderSpec spec = family.describe("config.json", config);
    assertEquals(new Attention(32, 8, 128), spec.attention());
    assertEquals(Rope.standard(5e6, 128).interleaved(List.of(24, 20, 20)), spec.rope());
    assertEquals(Set.of(Trait.QUERY_KEY_NORM, Trait.TIED_HEAD), spec.traits());
    assertEquals("qwen3_vl", spec.modelType());
    assertEquals(
        new VisionSpec(
            151655,
            151656,
            24,
            1024,
            16,
            4096,
            3,
            2,
            16,
            2,
            0,
            Set.of(),
            new DeepStack(48, List.of(5, 11, 17))),
        spec.vision());
    assertEquals(4_437_815_808L, DecoderParameters.size(spec)); // as Hugging Face counts them
  }

  @Test
  void theTowerHasTransformersNames() {
    Map<String, Parameter> byName =
        DecoderParameters.tower(family.describe("config.json", config)).stream()
            .collect(Collectors.toMap(Parameter::name, parameter -> parameter));
    assertEquals(3 + 24 * 12 + 4 * 6, byName.size());
    Map<String, List<Integer>> shapes =
        Map.of(
            "visual.patch_embed.proj.bias", List.of(1024),
            "visual.pos_embed.weight", List.of(2304, 1024),
            "visual.blocks.23.norm1.bias", List.of(1024),
            "visual.blocks.0.mlp.linear_fc1.weight", List.of(4096, 1024),
            "visual.blocks.0.mlp.linear_fc2.bias", List.of(1024),
            "visual.merger.norm.weight", List.of(1024),
            "visual.merger.linear_fc1.weight", List.of(4096, 4096),
            "visual.deepstack_merger_list.2.norm.bias", List.of(4096),
            "visual.deepstack_merger_list.2.linear_fc2.weight", List.of(2560, 4096));
    shapes.forEach(
        (name, shape) ->
            assertEquals(shape, Objects.requireNonNull(byName.get(name), name).shape()));
  }

  /** The format of transformers 5. */
  @Test
  void rotaryParametersAreRead() {
    DecoderSpec published = family.describe("config.json", config);
    text.remove("rope_scaling");
    text.remove("rope_theta");
    text.put(
        "rope_parameters",
        Map.of("rope_type", "default", "rope_theta", 5e6, "mrope_section", List.of(24L, 20L, 20L)));
    vision.put("rope_parameters", Map.of("rope_type", "axial", "rope_theta", 10000.0));
    assertEquals(published, family.describe("config.json", config));
  }

  private void assertRefused(String message) {
    assertEquals(
        "m/config.json: " + message, userError(() -> family.describe("m/config.json", config)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "hidden_act;silu;vision_config.hidden_act: silu is not supported (allowed:"
            + " gelu_pytorch_tanh)",
        "in_channels;1;vision_config.in_channels: 1 is not supported (allowed: 3)",
        "out_hidden_size;99;vision_config.out_hidden_size: 99 is not supported (allowed: 2560)",
        "num_heads;512;vision_config.num_heads: expected heads whose width, of 1024, is a multiple"
            + " of 4, found '512'",
        "num_position_embeddings;2305;vision_config.num_position_embeddings: expected a square"
            + " number, found '2305'",
        "depth;17;vision_config.deepstack_visual_indexes: expected ascending numbers of layers"
            + " below depth 17, at most num_hidden_layers 36, found '[5, 11, 17]'"
      })
  void otherTowersAreRefused(String key, String value, String message) {
    vision.put(key, value.matches("\\d+") ? Long.valueOf(value) : value);
    assertRefused(message);
  }

  @Test
  void otherPositionsAreRefused() {
    text.remove("rope_theta");
    assertRefused("text_config: rope_theta: expected a number above 0, found nothing");
    text.put("rope_theta", 1e6);
    text.put("rope_scaling", Map.of("mrope_section", List.of(16L, 24L)));
    assertRefused(
        "text_config: rope_scaling.mrope_section: expected three numbers whose sum is half the"
            + " width of a head, 64, found '[16, 24]'");
    text.put(
        "rope_scaling",
        Map.of("mrope_interleaved", false, "mrope_section", List.of(24L, 20L, 20L)));
    assertRefused(
        "text_config: rope_scaling.mrope_interleaved: false is not supported (allowed: true)");
  }

  @Test
  void modelsWithoutTowerOrPlacesAreRefused() {
    text.put("vocab_size", 1000L);
    assertRefused("image_token_id: expected a token below vocab_size 1000, found '151655'");
    config.remove("vision_config");
    assertRefused("vision_config: expected the facts of the vision tower, found nothing");
  }

  @Test
  void valueModelsAreRefused() {
    config.put("architectures", List.of("Qwen3VLForTokenClassification"));
    assertRefused(
        "architectures: a value model with vision is not supported (allowed:"
            + " those for conditional generation)");
  }

  /** Qwen3-VL-30B-A3B-Instruct. */
  @Test
  void expertsAreUnderstood() {
    config.put("model_type", "qwen3_vl_moe");
    config.put("tie_word_embeddings", false);
    text.putAll(
        Map.of(
            "model_type", "qwen3_vl_moe_text",
            "hidden_size", 2048L,
            "moe_intermediate_size", 768L,
            "num_experts", 128L,
            "num_experts_per_tok", 8L,
            "num_hidden_layers", 48L,
            "num_key_value_heads", 4L,
            "norm_topk_prob", true));
    vision.putAll(
        Map.of(
            "deepstack_visual_indexes", List.of(8L, 16L, 24L),
            "depth", 27L,
            "hidden_size", 1152L,
            "intermediate_size", 4304L,
            "out_hidden_size", 2048L));
    DecoderSpec spec = family.describe("config.json", config);
    assertEquals(new Experts(128, 8, true), spec.experts());
    assertEquals(31_070_754_032L, DecoderParameters.size(spec)); // as Hugging Face counts them
    text.put("norm_topk_prob", false);
    assertRefused("text_config: norm_topk_prob: false is not supported (allowed: true)");
  }
}
