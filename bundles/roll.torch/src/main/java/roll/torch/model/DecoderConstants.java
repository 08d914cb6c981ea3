package roll.torch.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.VisionSpec;
import roll.decoder.ActivationEstimate;
import roll.decoder.DecoderParameters;
import roll.torch.LinearBackends;
import roll.torch.Precision;

/** The constants of a decoder's kernels (see {@code decoder.py}). */
final class DecoderConstants {
  /** The constants of {@code decoder.py} that index a layer's tensors, with their modules. */
  private static final Map<String, String> SLOTS =
      Map.ofEntries(
          Map.entry("Q", "self_attn.q_proj"),
          Map.entry("K", "self_attn.k_proj"),
          Map.entry("V", "self_attn.v_proj"),
          Map.entry("O", "self_attn.o_proj"),
          Map.entry("Q_NORM", "self_attn.q_norm"),
          Map.entry("K_NORM", "self_attn.k_norm"),
          Map.entry("ATTENTION_NORM", "input_layernorm"),
          Map.entry("ROUTER", "mlp.gate"),
          Map.entry("MLP_NORM", "post_attention_layernorm"));

  /** The same for the tensors of a feed-forward layer or expert. */
  private static final Map<String, String> INNER =
      Map.of("GATE", "gate_proj", "UP", "up_proj", "DOWN", "down_proj");

  private static final List<String> AXES = List.of("t", "h", "w");

  /** Range of the random 15-bit numbers of dropout. */
  private static final int KEPT_OF = 1 << 15;

  /**
   * Logits that the head processes at once between two products, 2 MiB, to stay in the processor's
   * cache.
   */
  private static final int BLOCK_LOGITS = 1 << 19;

  /** Multiples of rows, and queries and keys of attention's products, in {@code invariant.py}. */
  private static final Map<String, Integer> SHAPES = Map.of("ROWS", 16, "TILE", 32, "KEYS", 64);

  private DecoderConstants() {}

  /** Returns the constants for {@code spec} with {@code precision}. */
  static Map<String, Object> of(DecoderSpec spec, Precision precision) {
    Map<String, Object> constants = new HashMap<>();
    constants.put("LAYERS", spec.layers());
    constants.put("HEADS", spec.attention().heads());
    constants.put("KV_HEADS", spec.attention().keyValueHeads());
    constants.put("HEAD_SIZE", spec.attention().headSize());
    constants.put("EPSILON", spec.normEpsilon());
    VisionSpec vision = spec.vision();
    constants.put("IMAGE", vision == null ? -1 : vision.imageToken());
    constants.put("VIDEO", vision == null ? -1 : vision.videoToken());
    constants.put("DEEP", vision == null ? 0 : vision.vectors() - 1);
    constants.put("AXES", spec.rope().axes().stream().map(AXES::get).collect(Collectors.joining()));
    constants.put("WIDE", 6);
    constants.put("MANY_ROWS", LinearBackends.MANY_ROWS);
    constants.put("COMPUTE", precision.compute());
    constants.put("LOGITS", precision.logits());
    constants.put("LOGITS_TEMPERATURE", precision.temperature());
    constants.put("BLOCK_LOGITS", BLOCK_LOGITS);
    constants.put("HEAD_ROWS", ActivationEstimate.CARD_HEAD_ROWS);
    constants.put("INVARIANT", precision.batchInvariant());
    constants.putAll(SHAPES);
    constants.put("TIED_HEAD", spec.has(Trait.TIED_HEAD));
    constants.put("QKV_BIAS", spec.has(Trait.QUERY_KEY_VALUE_BIAS));
    constants.put("O_BIAS", spec.has(Trait.OUTPUT_BIAS));
    constants.put("QK_NORM", spec.has(Trait.QUERY_KEY_NORM));
    constants.put("MLP_BIAS", spec.has(Trait.FEED_FORWARD_BIAS));
    constants.put("DOWN_BIAS", spec.has(Trait.FEED_FORWARD_BIAS));
    constants.put("GELU", spec.has(Trait.GELU));
    constants.put("NORM_OFFSET", spec.has(Trait.NORM_OFFSET));
    boolean scaled = spec.has(Trait.SCALED_EMBEDDING);
    constants.put("EMBEDDING_SCALE", scaled ? Math.sqrt(spec.hidden()) : 1.0);
    List<String> names =
        DecoderParameters.layer(spec, 0).stream().map(DecoderSpec.Parameter::name).toList();
    constants.put("LAYER_SIZE", names.size());
    constants.put("TENSORS", DecoderParameters.of(spec).size());
    constants.put("JOINED", JoinedTensors.ofLayer(spec).size());
    SLOTS.forEach((slot, name) -> place(constants, names, slot, name));
    Experts experts = spec.experts();
    String inner = experts == null ? "mlp." : "mlp.experts.0.";
    INNER.forEach((slot, name) -> place(constants, names, slot, inner + name));
    constants.put("EXPERTS", experts == null ? 0 : experts.count());
    constants.put("CHOSEN", experts == null ? 0 : experts.chosen());
    constants.put("NORMED", experts != null && experts.normed());
    constants.put(
        "EXPERT_SIZE", (int) names.stream().filter(name -> name.contains("." + inner)).count());
    Adapter adapter = spec.adapter();
    constants.put("ADAPTER_SCALE", adapter == null ? 0.0 : adapter.scale());
    double kept = adapter == null ? 1 : 1 - adapter.dropout();
    constants.put("KEPT", (int) Math.max(1, Math.round(kept * KEPT_OF)));
    return constants;
  }

  private static void place(
      Map<String, Object> constants, List<String> names, String slot, String name) {
    String module = "model.layers.0." + name;
    constants.put(slot, names.indexOf(module + ".weight"));
    constants.put(slot + "_A", names.indexOf(module + Adapter.A));
  }
}
