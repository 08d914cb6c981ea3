package roll.decoder;

import roll.api.model.DecoderSpec.Experts;

/** Reads the experts of a config.json in the fields of Qwen's models. */
public final class ExpertsReader {
  private static final String COUNT = "num_experts";

  /** The name of the count in transformers 5. */
  private static final String LOCAL = "num_local_experts";

  private static final String CHOSEN = "num_experts_per_tok";
  private static final String DENSE = "mlp_only_layers";

  private ExpertsReader() {}

  /**
   * Returns the experts of {@code config}.
   *
   * @param count if there is no {@code num_experts}
   * @param chosen if there is no {@code num_experts_per_tok}
   * @param normed whether their weights are renormalized
   * @throws roll.api.option.UserException if a field is invalid or some layers have no experts
   */
  public static Experts read(ConfigReader config, int count, int chosen, boolean normed) {
    config.refuseUnless("decoder_sparse_step", 1);
    if (!config.list(DENSE).isEmpty()) {
      throw config.unsupported(DENSE, config.list(DENSE), "none: every layer has experts");
    }
    config.refuseUnless("output_router_logits", false);
    String key = config.has(COUNT) || !config.has(LOCAL) ? COUNT : LOCAL;
    int all = config.count(key, count);
    int some = config.count(CHOSEN, chosen);
    if (some > all) {
      throw config.wrong(CHOSEN, "an integer up to %s %d".formatted(key, all));
    }
    return new Experts(all, some, normed);
  }
}
