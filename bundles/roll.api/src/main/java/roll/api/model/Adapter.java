package roll.api.model;

import java.util.Set;

/**
 * Low-rank adapters beside a decoder's projections (Hu et al. 2021, section 4.1): a projection W
 * becomes W + scale · B A with A [rank, in] and B [out, rank].
 *
 * @param rank rank of every adapter
 * @param alpha the scale times the rank, or times its square root
 * @param rankStabilized whether the scale is α / √rank (Kalajdzievski 2023), not α / rank
 * @param dropout probability of dropping an input of A in training, below 1
 * @param modules full names of the projections with an adapter, such as {@code
 *     model.layers.0.self_attn.q_proj}
 */
public record Adapter(
    int rank, double alpha, boolean rankStabilized, double dropout, Set<String> modules) {
  /** Name suffix of the adapter matrix A. */
  public static final String A = ".lora_A.weight";

  /** Name suffix of the adapter matrix B. */
  public static final String B = ".lora_B.weight";

  /** Creates low-rank adapters of at least one projection. */
  public Adapter {
    modules = Set.copyOf(modules);
    if (rank < 1 || modules.isEmpty() || !(dropout >= 0 && dropout < 1)) {
      throw new IllegalArgumentException(
          "rank " + rank + ", dropout " + dropout + ", " + modules.size() + " modules");
    }
  }

  /** The factor of B · A. */
  public double scale() {
    return alpha / (rankStabilized ? Math.sqrt(rank) : rank);
  }
}
