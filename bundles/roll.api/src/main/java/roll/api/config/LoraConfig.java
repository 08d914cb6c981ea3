package roll.api.config;

import java.util.List;

/**
 * New low-rank adapters that are trained in place of a model ({@code model_args.lora_*}).
 *
 * @param rank width of an adapter
 * @param alpha what an adapter adds is scaled by alpha / rank
 * @param dropout share of an adapter's inputs that training sets to zero
 * @param targets which projections have one: names, {@code all-linear}, or a regular expression
 */
public record LoraConfig(int rank, double alpha, double dropout, List<String> targets) {
  /** Settings that do not change. */
  public LoraConfig {
    targets = List.copyOf(targets);
  }
}
