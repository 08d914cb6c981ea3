package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.Objects;
import roll.torch.Kernels;
import roll.torch.TokenTensors;
import roll.torch.vision.VisionInput;

/**
 * The inputs of a decoder's layers.
 *
 * @param tokens int64 [B, T]
 * @param rows int64 [N], indices into the flattened [B·T] of the wanted positions
 * @param segments int64 [2, n] on the host, lengths and parents of the segments of a row
 * @param places int64 [M], indices of the image placeholders that features replace; empty without
 *     pictures
 * @param features f32 [M, vectors · hidden], features of pictures; empty without pictures
 * @param cos f32 [positions, 1, head size]; with pictures those of every token, [B, T, 1, head
 *     size]
 * @param sin like {@code cos}, the first half of each row negated
 */
public record DecoderInput(
    NDArray tokens,
    NDArray rows,
    NDArray segments,
    NDArray places,
    NDArray features,
    NDArray cos,
    NDArray sin) {
  /** Returns the input for text without pictures. */
  static DecoderInput text(NDManager owner, TokenTensors input, RotaryTable angles) {
    return new DecoderInput(
        input.tokens(),
        input.rows(),
        input.segments(),
        owner.create(new Shape(0), DataType.INT64),
        owner.create(new Shape(0), DataType.FLOAT32),
        angles.cos(),
        angles.sin());
  }

  /**
   * Returns the input for text with pictures.
   *
   * @param owner owns new tensors
   * @param kernels of the decoder
   * @param input with its vision input
   * @param features of its pictures
   * @param angles for the positions of the longest sample
   */
  public static DecoderInput seeing(
      NDManager owner, Kernels kernels, ModelInput input, NDArray features, RotaryTable angles) {
    VisionInput seen = Objects.requireNonNull(input.seen(), "no pictures");
    Shape tokens = input.text().tokens().getShape();
    NDArray[] turned = new NDArray[2];
    for (int i = 0; i < 2; i++) {
      NDArray table = i == 0 ? angles.cos() : angles.sin();
      NDArray found =
          kernels.record(owner, "angles_at", table, seen.positions()).singletonOrThrow();
      turned[i] = found.reshape(tokens.get(0), tokens.get(1), 1, table.getShape().get(2));
    }
    return new DecoderInput(
        input.text().tokens(),
        input.text().rows(),
        input.text().segments(),
        seen.places(),
        features,
        turned[0],
        turned[1]);
  }
}
