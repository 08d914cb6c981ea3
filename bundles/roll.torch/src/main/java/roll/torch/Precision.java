package roll.torch;

import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;

/**
 * What a model computes in, and what its logits are divided by; residual stream, norms, log-probs
 * and entropies are f32 always.
 *
 * @param dtype of linear layers and attention
 * @param wideLogits whether logits are products in f32 even so
 * @param temperature logits are divided by it wherever log-probs are made of them
 */
public record Precision(Dtype dtype, boolean wideLogits, double temperature) {
  /** What {@code model} asks for. */
  public static Precision of(ModelConfig model) {
    return new Precision(model.dtype(), model.wideLogits(), model.temperature());
  }

  /** All in {@code dtype}. */
  public static Precision of(Dtype dtype) {
    return new Precision(dtype, false, 1);
  }

  /** Whether generation reads a copy of the token head in f32, beside weights that are not. */
  public boolean wideHead() {
    return wideLogits && dtype != Dtype.FP32;
  }

  /** The engine's number for what linear layers compute in. */
  public int compute() {
    return dtype == Dtype.BF16 ? 15 : 6;
  }

  /** The engine's number for what logits are computed in. */
  public int logits() {
    return wideLogits ? 6 : compute();
  }
}
