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
 * What the layers of a decoder are given.
 *
 * @param tokens int64 [B, T]
 * @param rows int64 [N], the positions in the flattened [B·T] that are wanted
 * @param bounds int64 [n + 1] on the host, where the samples of a row end
 * @param places int64 [M], where features stand in place of words; empty in text
 * @param features f32 [M, hidden], of pictures; empty in text
 * @param cos f32 [positions, 1, head size], or where pictures are shown those of every token, [B,
 *     T, 1, head size]
 * @param sin as {@code cos}, the first half of each row negated
 */
public record DecoderInput(
    NDArray tokens,
    NDArray rows,
    NDArray bounds,
    NDArray places,
    NDArray features,
    NDArray cos,
    NDArray sin) {
  /** Text alone. */
  static DecoderInput text(NDManager owner, TokenTensors input, RotaryTable angles) {
    return new DecoderInput(
        input.tokens(),
        input.rows(),
        input.bounds(),
        owner.create(new Shape(0), DataType.INT64),
        owner.create(new Shape(0), DataType.FLOAT32),
        angles.cos(),
        angles.sin());
  }

  /**
   * Text with pictures.
   *
   * @param owner owns what is made for it
   * @param kernels those of a decoder
   * @param input what is seen, too
   * @param features of its pictures
   * @param angles of as many positions as the longest sample has
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
        input.text().bounds(),
        seen.places(),
        features,
        turned[0],
        turned[1]);
  }
}
