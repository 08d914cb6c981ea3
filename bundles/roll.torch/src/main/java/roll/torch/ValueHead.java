package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;

/** The head of a value model: one column, the value of each row (see {@code value_head.py}). */
final class ValueHead implements Head {
  private final Decoder decoder;
  private final int weight;
  private final int bias;

  ValueHead(Decoder decoder) {
    int parameters = decoder.spec().parameters().size();
    this.decoder = decoder;
    this.weight = parameters - 2;
    this.bias = parameters - 1;
  }

  @Override
  public Output forward(
      NDManager owner, Parameters parameters, NDArray rows, NDArray targets, boolean backward) {
    NDList tensors = parameters.tensors();
    NDList values =
        decoder
            .kernels()
            .call(owner, "value_forward", rows, tensors.get(weight), tensors.get(bias));
    return new Output(rows, targets, values, new NDList());
  }

  @Override
  public NDArray backward(
      NDManager owner,
      Parameters parameters,
      Gradients gradients,
      Output output,
      NDList byColumns) {
    NDList tensors = parameters.tensors();
    return decoder
        .kernels()
        .call(
            owner,
            "value_backward",
            output.rows(),
            tensors.get(weight),
            gradients.of(tensors.get(weight)),
            gradients.of(tensors.get(bias)),
            byColumns.singletonOrThrow())
        .singletonOrThrow();
  }
}
