package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.api.model.DecoderSpec.Trait;

/**
 * The last part of a model: what it says of each row of hidden states, in one or more columns of
 * numbers, and the gradient of that, written out by hand. Used on the compute thread alone.
 */
sealed interface Head permits TokenHead, ValueHead {
  /** The head that the model {@code decoder} has. */
  static Head of(Decoder decoder) {
    return decoder.spec().has(Trait.VALUE_HEAD) ? new ValueHead(decoder) : new TokenHead(decoder);
  }

  /**
   * What the head says of {@code rows} [N, hidden].
   *
   * @param owner owns the result
   * @param targets int64 [N], the token that follows each row
   * @param backward whether {@link #backward} will follow
   */
  Output forward(
      NDManager owner, Parameters parameters, NDArray rows, NDArray targets, boolean backward);

  /**
   * The gradient by the rows of {@code output}; those of the head's parameters, as far as they are
   * trained, are added to {@code gradients}.
   *
   * @param owner owns the result
   * @param byColumns derivatives of the loss by the numbers of each column, f32 [N] each
   */
  NDArray backward(
      NDManager owner, Parameters parameters, Gradients gradients, Output output, NDList byColumns);

  /**
   * What {@link #forward} found, and what {@link #backward} needs of it.
   *
   * @param rows the rows
   * @param targets the tokens
   * @param columns f32 [N] each
   * @param kept what was kept to be used again
   */
  record Output(NDArray rows, NDArray targets, NDList columns, NDList kept) {}
}
