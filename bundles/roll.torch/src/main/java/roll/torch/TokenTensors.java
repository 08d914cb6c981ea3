package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/**
 * The tensors of a micro-batch's tokens, as the kernels read them.
 *
 * @param tokens int64 [B, T]
 * @param rows int64 [N], positions as indices into the flattened [B·T]
 * @param segments int64 [2, n], lengths and parents of the segments of a row; on the host, which
 *     reads them without synchronization
 * @param longest length of the longest sample
 */
public record TokenTensors(NDArray tokens, NDArray rows, NDArray segments, int longest) {
  /** Returns the tensors of {@code part}, owned by {@code owner}. */
  public static TokenTensors of(NDManager owner, MicroBatch part) {
    int length = part.length();
    return new TokenTensors(
        owner.create(part.tokens(), new Shape(part.tokens().length / length, length)),
        owner.create(part.rows()),
        segments(owner, part.segments()),
        part.longest());
  }

  /** Returns the tensors of padded samples, one in each row. */
  public static TokenTensors padded(NDManager owner, NDArray tokens, NDArray rows) {
    long length = tokens.getShape().get(1);
    return new TokenTensors(
        tokens, rows, segments(owner, new long[] {length, -1}), Math.toIntExact(length));
  }

  private static NDArray segments(NDManager owner, long[] segments) {
    return Device.host(owner).create(segments, new Shape(2, segments.length / 2));
  }
}
