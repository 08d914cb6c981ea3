package roll.model.qwen2_5_vl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
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
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.decoder.DecoderParameters;

/** Tests the reading of Qwen2.5-VL's config.json, and refusals. */
final class Qwen25VlFamilyTest {
  private static final List<String> OF_THE_DECODER =
      List.of(
          "hidden_act",
          "hidden_size",
          "intermediate_size",
          "max_position_embeddings",
          "num_attention_heads",
          "num_hidden_layers",
          "num_key_value_heads",
          "rms_norm_eps",
          "use_sliding_window",
          "vocab_size");

  private final Qwen25VlFamily family = new Qwen25VlFamily();

  /** The config.json of Qwen2.5-VL-3B-Instruct, without what is not read. */
  private static Map<String, @Nullable Object> three() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("model_type", "qwen2_5_vl"),
            Map.entry("architectures", List.of("Qwen2_5_VLForConditionalGeneration")),
            Map.entry("hidden_act", "silu"),
            Map.entry("hidden_size", 2048L),
            Map.entry("image_token_id", 151655L),
            Map.entry("video_token_id", 151656L),
            Map.entry("intermediate_size", 11008L),
            Map.entry("max_position_embeddings", 128000L),
            Map.entry("max_window_layers", 70L),
            Map.entry("num_attention_heads", 16L),
            Map.entry("num_hidden_layers", 36L),
            Map.entry("num_key_value_heads", 2L),
            Map.entry("rms_norm_eps", 1e-6),
            Map.entry("rope_theta", 1000000.0),
            Map.entry(
                "rope_scaling", Map.of("type", "mrope", "mrope_section", List.of(16L, 24L, 24L))),
            Map.entry("sliding_window", 32768L),
            Map.entry("tie_word_embeddings", true),
            Map.entry("use_sliding_window", false),
            Map.entry("vocab_size", 151936L),
            Map.entry("vision_config", vision())));
  }

  private static Map<String, @Nullable Object> vision() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("depth", 32L),
            Map.entry("hidden_act", "silu"),
            Map.entry("hidden_size", 1280L),
            Map.entry("intermediate_size", 3420L),
            Map.entry("num_heads", 16L),
            Map.entry("in_chans", 3L),
            Map.entry("out_hidden_size", 2048L),
            Map.entry("patch_size", 14L),
            Map.entry("spatial_merge_size", 2L),
            Map.entry("spatial_patch_size", 14L),
            Map.entry("window_size", 112L),
            Map.entry("fullatt_block_indexes", List.of(7L, 15L, 23L, 31L)),
            Map.entry("tokens_per_second", 2L),
            Map.entry("temporal_patch_size", 2L)));
  }

  @Test
  void theThreeBillionModelIsUnderstood() {
    DecoderSpec spec = family.describe("config.json", three());
    assertEquals(new Attention(16, 2, 128), spec.attention());
    assertEquals(Rope.standard(1e6, 128).inSections(List.of(16, 24, 24)), spec.rope());
    assertEquals(Set.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.TIED_HEAD), spec.traits());
    assertEquals("qwen2_5_vl", spec.modelType());
    assertEquals(
        new VisionSpec(151655, 151656, 32, 1280, 16, 3420, 3, 2, 14, 2, 112, Set.of(7, 15, 23, 31)),
        spec.vision());
    assertEquals(3_754_622_976L, DecoderParameters.size(spec)); // as Hugging Face counts them
  }

  /** The published values are the defaults. */
  @Test
  void absentFactsOfTheTowerHaveTheirDefault() {
    Map<String, @Nullable Object> config = three();
    config.remove("image_token_id");
    config.remove("video_token_id");
    Map<String, @Nullable Object> vision = vision();
    vision.keySet().retainAll(Set.of("hidden_act", "hidden_size", "num_heads", "out_hidden_size"));
    config.put("vision_config", vision);
    assertEquals(family.describe("config.json", three()), family.describe("config.json", config));
    vision.put("depth", 10L);
    VisionSpec shallow = Objects.requireNonNull(family.describe("config.json", config).vision());
    assertEquals(Set.of(7), shallow.fullAttention());
  }

  @Test
  void theTowerStandsBehindTheDecoder() {
    DecoderSpec spec = family.describe("config.json", three());
    List<Parameter> all = DecoderParameters.of(spec);
    List<Parameter> tower = DecoderParameters.tower(spec);
    assertEquals(1 + 32 * 12 + 5, tower.size());
    assertEquals(tower, all.subList(1 + 36 * 12 + 1, all.size()));
    assertEquals(List.of(1280, 3, 2, 14, 14), tower.getFirst().shape());
    Map<String, Parameter> byName =
        tower.stream().collect(Collectors.toMap(Parameter::name, parameter -> parameter));
    Map<String, List<Integer>> shapes =
        Map.of(
            "visual.blocks.31.attn.qkv.weight", List.of(3840, 1280),
            "visual.blocks.0.attn.proj.bias", List.of(1280),
            "visual.blocks.5.mlp.gate_proj.weight", List.of(3420, 1280),
            "visual.blocks.5.mlp.down_proj.bias", List.of(1280),
            "visual.blocks.5.norm2.weight", List.of(1280),
            "visual.merger.ln_q.weight", List.of(1280),
            "visual.merger.mlp.0.weight", List.of(5120, 5120),
            "visual.merger.mlp.2.weight", List.of(2048, 5120));
    shapes.forEach(
        (name, shape) ->
            assertEquals(shape, Objects.requireNonNull(byName.get(name), name).shape()));
  }

  /** The format of transformers 4.52, with the decoder's fields in both places. */
  @Test
  void nestedFieldsAreRead() {
    Map<String, @Nullable Object> config = three();
    Map<String, @Nullable Object> text = new HashMap<>();
    OF_THE_DECODER.forEach(key -> text.put(key, config.get(key)));
    text.put("model_type", "qwen2_5_vl_text");
    text.put("rope_theta", 1000000.0);
    text.put("tie_word_embeddings", false); // what the whole says counts
    text.put(
        "rope_scaling",
        Map.of("type", "default", "rope_type", "default", "mrope_section", List.of(16L, 24L, 24L)));
    config.put("text_config", text);
    assertEquals(family.describe("config.json", three()), family.describe("config.json", config));
  }

  /** The format of transformers 5. */
  @Test
  void nestedFieldsAloneAreRead() {
    Map<String, @Nullable Object> config = three();
    Map<String, @Nullable Object> text = new HashMap<>();
    OF_THE_DECODER.forEach(key -> text.put(key, config.remove(key)));
    config.remove("rope_theta");
    config.remove("rope_scaling");
    text.put("model_type", "qwen2_5_vl_text");
    text.put(
        "rope_parameters",
        Map.of(
            "rope_type",
            "default",
            "rope_theta",
            1000000.0,
            "mrope_section",
            List.of(16L, 24L, 24L)));
    config.put("text_config", text);
    assertEquals(family.describe("config.json", three()), family.describe("config.json", config));
  }

  /** The model card's setting for contexts above 32,768 tokens. */
  @Test
  void longContextsAreStretched() {
    Map<String, @Nullable Object> config = three();
    List<Integer> sections = List.of(16, 24, 24);
    config.put("rope_scaling", Map.of("type", "yarn", "factor", 4.0, "mrope_section", sections));
    Rope rope = family.describe("config.json", config).rope();
    assertEquals(sections, rope.sections());
    assertEquals(1 + 0.1 * Math.log(4), rope.attentionFactor());
  }

  private void assertRefused(String message, Map<String, @Nullable Object> config) {
    assertEquals(
        "m/config.json: " + message, userError(() -> family.describe("m/config.json", config)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "hidden_act;gelu;vision_config.hidden_act: gelu is not supported (allowed: silu)",
        "in_channels;1;vision_config.in_channels: 1 is not supported (allowed: 3)",
        "out_hidden_size;3584;vision_config.out_hidden_size: 3584 is not supported (allowed: 2048)",
        "window_size;100;vision_config.window_size: expected a multiple of a square's 28 pixels,"
            + " found '100'",
        "num_heads;12;vision_config.hidden_size (1280) is not divisible by num_heads (12)",
        "num_heads;640;vision_config.num_heads: expected heads whose width is a multiple of 4,"
            + " found '640'",
        "depth;0;vision_config.depth: expected an integer from 1 up, found '0'"
      })
  void otherTowersAreRefused(String key, String value, String message) {
    Map<String, @Nullable Object> vision = vision();
    vision.put(key, value.matches("\\d+") ? Long.valueOf(value) : value);
    Map<String, @Nullable Object> config = three();
    config.put("vision_config", vision);
    assertRefused(message, config);
  }

  @Test
  void otherPositionsAreRefused() {
    Map<String, @Nullable Object> config = three();
    config.put("rope_scaling", Map.of("type", "mrope", "mrope_section", List.of(16L, 24L)));
    assertRefused(
        "rope_scaling.mrope_section: expected three numbers whose sum is half the width of a head,"
            + " 64, found '[16, 24]'",
        config);
    config.put("rope_scaling", Map.of("type", "longrope", "factor", 4.0));
    assertRefused(
        "rope_scaling.type: longrope is not supported (allowed: default, linear, llama3, yarn)",
        config);
  }

  @Test
  void modelsWithoutTowerOrPlacesAreRefused() {
    Map<String, @Nullable Object> blind = three();
    blind.remove("vision_config");
    assertRefused("vision_config: expected the facts of the vision tower, found nothing", blind);
    Map<String, @Nullable Object> small = three();
    small.put("vocab_size", 1000L);
    assertRefused("image_token_id: expected a token below vocab_size 1000, found '151655'", small);
  }

  @Test
  void valueModelsAreRefused() {
    Map<String, @Nullable Object> config = three();
    config.put("architectures", List.of("Qwen2_5_VLForTokenClassification"));
    assertRefused(
        "architectures: a value model with vision is not supported (allowed:"
            + " Qwen2_5_VLForConditionalGeneration)",
        config);
  }

  @Test
  void adaptersAreOfTheDecoder() {
    DecoderSpec spec = family.describe("config.json", three());
    List<String> projections = DecoderParameters.projections(spec);
    assertEquals(36 * 7, projections.size());
    assertTrue(projections.contains("model.layers.35.mlp.up_proj"));
    assertFalse(projections.stream().anyMatch(name -> name.startsWith("visual.")));
  }
}
