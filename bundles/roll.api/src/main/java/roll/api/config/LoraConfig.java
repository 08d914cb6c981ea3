package roll.api.config;

import java.util.List;

/**
 * New low-rank adapters that are trained instead of the full model ({@code model_args.lora_*}).
 *
 * @param rank rank of an adapter
 * @param alpha the output of an adapter is scaled by alpha / rank
 * @param dropout probability of dropping an adapter's input in training
 * @param targets projections with an adapter: names, {@code all-linear}, or a regular expression
 */
public record LoraConfig(int rank, double alpha, double dropout, List<String> targets) {
  /** Creates a LoRA configuration with an immutable copy of the list. */
  public LoraConfig {
    targets = List.copyOf(targets);
  }
}
