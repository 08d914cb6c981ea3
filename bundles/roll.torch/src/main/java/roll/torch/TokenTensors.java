package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/**
 * A micro-batch as the kernels take it.
 *
 * @param tokens int64 [B, T]
 * @param rows int64 [N], positions as indices into the flattened [B·T]
 * @param bounds int64 [n + 1], where the samples of a row end, behind a 0; on the host, which reads
 *     them, so that nobody waits for an accelerator
 * @param longest length of the longest sample
 */
public record TokenTensors(NDArray tokens, NDArray rows, NDArray bounds, int longest) {
  /** The tensors of {@code part}; {@code owner} owns them. */
  public static TokenTensors of(NDManager owner, MicroBatch part) {
    int length = part.length();
    return new TokenTensors(
        owner.create(part.tokens(), new Shape(part.tokens().length / length, length)),
        owner.create(part.rows()),
        Device.host(owner).create(part.bounds()),
        part.longest());
  }

  /** Samples in rows of their own. */
  public static TokenTensors padded(NDManager owner, NDArray tokens, NDArray rows) {
    long length = tokens.getShape().get(1);
    return new TokenTensors(
        tokens, rows, Device.host(owner).create(new long[] {0, length}), Math.toIntExact(length));
  }
}
