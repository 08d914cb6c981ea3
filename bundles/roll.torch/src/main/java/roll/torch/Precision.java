package roll.torch;

import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;

/**
 * The number formats of a model's computation, and the temperature of its logits. Residual stream,
 * norms, log-probs and entropies are always f32.
 *
 * @param dtype of linear layers and attention
 * @param wideLogits whether logits are computed in f32 regardless
 * @param temperature divisor of logits wherever log-probs are computed
 * @param batchInvariant whether a row has the same bits whatever else is in its batch
 */
public record Precision(
    Dtype dtype, boolean wideLogits, double temperature, boolean batchInvariant) {
  /** A precision whose last bits depend on the batch. */
  public Precision(Dtype dtype, boolean wideLogits, double temperature) {
    this(dtype, wideLogits, temperature, false);
  }

  /** Returns the precision that {@code model} configures. */
  public static Precision of(ModelConfig model) {
    return new Precision(
        model.dtype(), model.wideLogits(), model.temperature(), model.batchInvariant());
  }

  /** Returns a precision that computes all in {@code dtype}. */
  public static Precision of(Dtype dtype) {
    return new Precision(dtype, false, 1);
  }

  /**
   * Returns whether generation reads an f32 copy of the token head, in addition to bf16 weights.
   */
  public boolean wideHead() {
    return wideLogits && dtype != Dtype.FP32;
  }

  /** Returns libtorch's number of the format of linear layers. */
  public int compute() {
    return dtype == Dtype.BF16 ? 15 : 6;
  }

  /** Returns libtorch's number of the format of logits. */
  public int logits() {
    return wideLogits ? 6 : compute();
  }
}
