package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import roll.parallel.collective.Communicator;

/**
 * The communication of the residual stream between tensor-parallel ranks. Between the halves of
 * layers every rank has all tokens, or with sequence parallelism a share of them. {@link #enter}
 * and {@link #leave} are each other's backward pass.
 */
public record ResidualExchange(Communicator tensor, boolean sequenceParallel) {
  /** Returns all tokens [B, T, C], gathered from the ranks' shares {@code own}. */
  public NDArray enter(NDManager owner, NDArray own, Shape all) {
    if (!sequenceParallel) {
      return own;
    }
    NDArray full = owner.zeros(all);
    tensor.allGather(FlatTensors.memory(own), FlatTensors.memory(full));
    return full;
  }

  /** Returns the rank's share of the sum of {@code part} [B, T, C] over the ranks. */
  public NDArray leave(NDManager owner, NDArray part) {
    if (tensor.size() == 1) {
      return part;
    }
    if (!sequenceParallel) {
      tensor.allReduce(FlatTensors.memory(part));
      return part;
    }
    NDArray own = owner.zeros(own(part.getShape()));
    tensor.reduceScatter(FlatTensors.memory(part), FlatTensors.memory(own));
    part.close();
    return own;
  }

  /** Returns the shape of the rank's share of the residual stream [B, T, C]. */
  public Shape own(Shape all) {
    return sequenceParallel ? new Shape(all.get(0) * all.get(1) / tensor.size(), all.get(2)) : all;
  }
}
