package roll.model.qwen3_moe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.ActivationEstimate;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelMemoryEstimate;

/** Tests the reading of Qwen3-MoE's config.json. */
final class Qwen3MoeFamilyTest {
  private final Qwen3MoeFamily family = new Qwen3MoeFamily();

  /** The config.json of Qwen3-30B-A3B, without what is not read. */
  private static Map<String, @Nullable Object> published() {
    Map<String, @Nullable Object> config =
        new HashMap<>(
            Map.ofEntries(
                Map.entry("model_type", "qwen3_moe"),
                Map.entry("attention_bias", false),
                Map.entry("attention_dropout", 0.0),
                Map.entry("decoder_sparse_step", 1L),
                Map.entry("head_dim", 128L),
                Map.entry("hidden_act", "silu"),
                Map.entry("hidden_size", 2048L),
                Map.entry("intermediate_size", 6144L),
                Map.entry("max_position_embeddings", 40960L),
                Map.entry("mlp_only_layers", List.of()),
                Map.entry("moe_intermediate_size", 768L),
                Map.entry("norm_topk_prob", true),
                Map.entry("num_attention_heads", 32L),
                Map.entry("num_experts", 128L),
                Map.entry("num_experts_per_tok", 8L),
                Map.entry("num_hidden_layers", 48L),
                Map.entry("num_key_value_heads", 4L),
                Map.entry("output_router_logits", false),
                Map.entry("rms_norm_eps", 1e-6),
                Map.entry("rope_theta", 1000000.0),
                Map.entry("router_aux_loss_coef", 0.001),
                Map.entry("tie_word_embeddings", false),
                Map.entry("use_sliding_window", false),
                Map.entry("vocab_size", 151936L)));
    config.put("rope_scaling", null);
    config.put("sliding_window", null);
    return config;
  }

  private DecoderSpec describe(Map<String, @Nullable Object> config) {
    return family.describe("config.json", config);
  }

  private DecoderSpec with(String key, @Nullable Object value) {
    Map<String, @Nullable Object> config = published();
    config.put(key, value);
    return describe(config);
  }

  /**
   * By hand: a layer has 18,874,368 weights of projections around attention, 4,352 of norms,
   * 262,144 of its router and 128 · 4,718,592 of experts; embedding and head have 311,164,928 each.
   */
  @Test
  void thePublishedOneIsUnderstood() {
    DecoderSpec spec = describe(published());
    long outside = 48L * (18_874_368 + 4_352 + 262_144) + 2 * 311_164_928L + 2048;
    assertEquals(outside + 48L * 128 * 4_718_592, DecoderParameters.size(spec));
    assertEquals(30_532_122_624L, DecoderParameters.size(spec)); // as Hugging Face counts them
    assertEquals(outside + 48L * 8 * 4_718_592, DecoderParameters.active(spec));
    assertEquals(3_353_032_704L, DecoderParameters.active(spec));
    assertEquals(new Attention(32, 4, 128), spec.attention());
    assertEquals(new Experts(128, 8, true), spec.experts());
    assertEquals(768, spec.intermediate());
    assertEquals(40_960, spec.maxPositions());
    assertEquals(Set.of(Trait.QUERY_KEY_NORM), spec.traits());
  }

  /** The order of state_dict() in transformers 4. */
  @Test
  void parametersAreNamedAsThePublishedFilesNameThem() {
    List<Parameter> layer = DecoderParameters.layer(describe(published()), 7);
    assertEquals(6 + 1 + 3 * 128 + 2, layer.size());
    assertEquals("model.layers.7.mlp.gate.weight", layer.get(6).name());
    assertEquals(List.of(128, 2048), layer.get(6).shape());
    assertEquals("model.layers.7.mlp.experts.0.gate_proj.weight", layer.get(7).name());
    assertEquals("model.layers.7.mlp.experts.127.down_proj.weight", layer.get(390).name());
    assertEquals(List.of(2048, 768), layer.get(390).shape());
    assertEquals("model.layers.7.input_layernorm.weight", layer.get(391).name());
  }

  /** By hand, of the counts above. */
  @Test
  void memoryCountsAllExpertsAndActivationsTheChosen() {
    DecoderSpec spec = describe(published());
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    assertEquals(2 * 30_532_122_624L, need.inference(Dtype.BF16));
    assertEquals(18 * 30_532_122_624L, need.training(Dtype.BF16));
    assertEquals(2L * 48 * 512 * 2, need.cachedToken(Dtype.BF16));
    // rows and columns of q, k, v and o, and of three projections of each expert; no router
    long attention = (4096 + 2048) + 2 * (512 + 2048) + (2048 + 4096);
    assertEquals(48L * 16 * (attention + 128 * 3 * (768 + 2048)), need.loraWeights(16));
    // a copy of all linear layers, including the head, without routers
    long linear = 48L * (18_874_368 + 128L * 4_718_592) + 311_164_928;
    assertEquals(2 * linear, need.reordered(Dtype.BF16));
    // a byte each, and two for each row of q, k, v, o and of three projections of each expert
    long rows = 4096 + 2 * 512 + 2048 + 128 * (2 * 768 + 2048);
    assertEquals(48 * (18_874_368 + 128L * 4_718_592 + 2 * rows), need.int8());
    // wide: 6 + 8 times the width; narrow: 1 + 24 of it, queries 4 times, 8 experts' inside 4 times
    long wide = 4 * (6 + 8) * 2048;
    long narrow = 2 * ((1 + 24) * 2048 + 4 * 4096 + 4 * 8 * 768);
    assertEquals(10L * (wide + narrow), new ActivationEstimate(spec, Dtype.BF16).layer(10));
  }

  @Test
  void whatIsAbsentIsAsInTransformers() {
    Map<String, @Nullable Object> config = published();
    for (String key :
        List.of(
            "num_experts",
            "num_experts_per_tok",
            "norm_topk_prob",
            "decoder_sparse_step",
            "intermediate_size",
            "head_dim",
            "max_position_embeddings")) {
      config.remove(key);
    }
    config.put("mlp_only_layers", null);
    DecoderSpec spec = describe(config);
    assertEquals(new Experts(128, 8, false), spec.experts());
    assertEquals(new Attention(32, 4, 64), spec.attention());
    assertEquals(32_768, spec.maxPositions());
    config.put("num_local_experts", 60L);
    assertEquals(new Experts(60, 8, false), describe(config).experts());
    assertEquals(
        Set.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS, Trait.QUERY_KEY_NORM),
        with("attention_bias", true).traits());
  }

  @Test
  void whatIsNotBuiltIsRefusedByName() {
    refused("decoder_sparse_step", 2L, "decoder_sparse_step: 2 is not supported (allowed: 1)");
    refused(
        "mlp_only_layers",
        List.of(0L, 3L),
        "mlp_only_layers: [0, 3] is not supported (allowed: none: every layer has experts)");
    refused(
        "output_router_logits",
        true,
        "output_router_logits: true is not supported (allowed: false)");
    refused(
        "num_experts_per_tok",
        129L,
        "num_experts_per_tok: expected an integer up to num_experts 128, found '129'");
    refused(
        "moe_intermediate_size",
        null,
        "moe_intermediate_size: expected an integer from 1 up, found nothing");
    refused("num_experts", 0L, "num_experts: expected an integer from 1 up, found '0'");
  }

  private void refused(String key, @Nullable Object value, String line) {
    assertEquals("config.json: " + line, userError(() -> with(key, value)));
  }
}
