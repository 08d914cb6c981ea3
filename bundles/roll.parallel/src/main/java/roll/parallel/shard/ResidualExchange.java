package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import roll.parallel.collective.Communicator;

/**
 * How the residual stream passes between tensor-parallel ranks: every rank has all of it, or with
 * sequence parallelism a share of its tokens, outside the halves of the layers. What {@link #leave}
 * is to the forward pass, {@link #enter} is to the backward pass, and the other way round.
 */
public record ResidualExchange(Communicator tensor, boolean sequenceParallel) {
  /** All tokens [B, T, C], of which {@code own} is what the rank has. */
  public NDArray enter(NDManager owner, NDArray own, Shape all) {
    if (!sequenceParallel) {
      return own;
    }
    NDArray full = owner.zeros(all);
    tensor.allGather(FlatTensors.memory(own), FlatTensors.memory(full));
    return full;
  }

  /** What the rank has of the sum of {@code part} [B, T, C] over the ranks. */
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

  /** Shape of what the rank has of the residual stream [B, T, C]. */
  public Shape own(Shape all) {
    return sequenceParallel ? new Shape(all.get(0) * all.get(1) / tensor.size(), all.get(2)) : all;
  }
}
