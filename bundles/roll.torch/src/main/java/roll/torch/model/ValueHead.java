package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import roll.torch.Kernels;

/** The head of a value model (see {@code value_head.py}): one column, the value of each row. */
final class ValueHead implements Head {
  private final Kernels kernels;

  /** Creates the head with functions in {@code kernels}. */
  ValueHead(Kernels kernels) {
    this.kernels = kernels;
  }

  @Override
  public Output forward(
      NDManager owner, NDList weights, NDArray rows, NDArray targets, boolean backward) {
    NDList values = kernels.call(owner, "value_forward", rows, weights.get(0), weights.get(1));
    return new Output(rows, targets, values, new NDList());
  }

  @Override
  public NDArray backward(
      NDManager owner, NDList weights, List<NDList> gradients, Output output, NDList byColumns) {
    return kernels
        .call(
            owner,
            "value_backward",
            output.rows(),
            weights.get(0),
            gradients.get(0),
            gradients.get(1),
            byColumns.singletonOrThrow())
        .singletonOrThrow();
  }
}
