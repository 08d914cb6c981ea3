package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import roll.torch.Device;
import roll.torch.model.Parameters;
import roll.torch.model.TrainedParameters;

/**
 * The gradients of the {@link TrainedParameters} of {@link Parameters}: one f32 tensor each, to
 * which every backward pass adds, until {@link #zero}. Owns its tensors. Used only on the compute
 * thread.
 */
public final class ParameterGradients implements AutoCloseable {
  private final Device device;
  private final NDList weights;
  private final NDManager manager;
  private final NDList tensors;

  /**
   * Creates zero gradients of the trained {@code parameters}, and switches autograd on for those.
   */
  public ParameterGradients(Device device, Parameters parameters) {
    this.device = device;
    this.weights = parameters.trained().tensors();
    this.manager = device.newManager();
    this.tensors = new NDList(weights.size());
    parameters.requireGradients();
    for (NDArray weight : weights) {
      tensors.add(manager.zeros(weight.getShape(), DataType.FLOAT32));
    }
  }

  /** Returns the gradients, in the order of the trained parameters. */
  public NDList tensors() {
    return tensors;
  }

  /** Returns the gradient of {@code weight}, or an empty list if it is not trained. */
  public NDList of(NDArray weight) {
    for (int i = 0; i < weights.size(); i++) {
      if (weights.get(i) == weight) {
        return tensors.subNDList(i, i + 1);
      }
    }
    return new NDList();
  }

  /** Sets all gradients to zero. */
  public void zero() {
    for (NDArray tensor : tensors) {
      device.transfer().zero(tensor);
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
