package roll.decoder;

import roll.api.model.Rope;

/**
 * Reads rotary position embeddings from config.json: {@code rope_theta} and {@code rope_scaling} of
 * transformers 4, or {@code rope_parameters} of transformers 5 with both. The precedence is that of
 * {@code convert_rope_params_to_dict} in transformers 5, modeling_rope_utils.py.
 */
final class RopeReader {
  private RopeReader() {}

  static Rope read(ConfigReader config, int headSize, int maxPositions) {
    boolean old = !config.within("rope_scaling").keys().isEmpty();
    ConfigReader rope = config.within(old ? "rope_scaling" : "rope_parameters");
    config.refuseUnless("partial_rotary_factor", 1.0);
    rope.refuseUnless("partial_rotary_factor", 1.0);
    for (String kind : new String[] {"full_attention", "sliding_attention"}) {
      if (rope.has(kind)) {
        throw rope.unsupported(kind, "one of its own", "the same for every layer");
      }
    }
    double theta = rope.positive("rope_theta", config.positive("rope_theta", 10_000));
    Rope standard = Rope.standard(theta, headSize);
    String key = rope.has("rope_type") || !rope.has("type") ? "rope_type" : "type";
    String type = rope.has(key) ? rope.text(key) : "default";
    return switch (type) {
      case "default" -> standard;
      case "linear" -> standard.linear(rope.positive("factor"));
      case "llama3" -> llama3(rope, standard, maxPositions);
      case "yarn" -> yarn(rope, standard, theta, maxPositions);
      default -> throw rope.unsupported(key, type, "default, linear, llama3, yarn");
    };
  }

  private static Rope yarn(ConfigReader rope, Rope standard, double theta, int maxPositions) {
    double factor = rope.positive("factor");
    double fast = rope.positive("beta_fast", 32);
    double slow = rope.positive("beta_slow", 1);
    if (fast < slow) {
      throw rope.wrong("beta_fast", "at least beta_slow " + slow);
    }
    boolean both = rope.has("mscale") && rope.has("mscale_all_dim");
    double sharpened =
        both
            ? sharpness(factor, rope.positive("mscale"))
                / sharpness(factor, rope.positive("mscale_all_dim"))
            : sharpness(factor, 1);
    return standard.yarn(
        theta,
        factor,
        fast,
        slow,
        rope.count("original_max_position_embeddings", maxPositions),
        rope.flag("truncate", true),
        rope.positive("attention_factor", sharpened));
  }

  /**
   * Returns the attention scaling of longer contexts (Peng et al. 2023, equation 22), applied to
   * cosines.
   */
  private static double sharpness(double factor, double scale) {
    return factor <= 1 ? 1 : 0.1 * scale * Math.log(factor) + 1;
  }

  private static Rope llama3(ConfigReader rope, Rope standard, int maxPositions) {
    double low = rope.positive("low_freq_factor");
    double high = rope.positive("high_freq_factor");
    if (high <= low) {
      throw rope.wrong("high_freq_factor", "more than low_freq_factor " + low);
    }
    return standard.llama3(
        rope.positive("factor"),
        low,
        high,
        rope.count("original_max_position_embeddings", maxPositions));
  }
}
