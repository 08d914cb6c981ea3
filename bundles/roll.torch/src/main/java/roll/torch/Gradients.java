package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;

/**
 * The gradients of {@link Parameters}: one f32 tensor a parameter, into which every backward pass
 * adds, until {@link #zero}. Owns its tensors. Used on the compute thread alone.
 *
 * <p>They are the tensors' own {@code .grad}: a first backward pass of zeros makes them, later ones
 * add in place.
 */
public final class Gradients implements AutoCloseable {
  private final Parameters parameters;
  private final NDManager manager;
  private final NDList tensors;

  /** Zero gradients of {@code parameters}, which from now on record what is done with them. */
  public Gradients(Device device, Parameters parameters) {
    this.parameters = parameters;
    this.manager = device.newManager();
    this.tensors = new NDList(parameters.tensors().size());
    for (NDArray parameter : parameters.tensors()) {
      parameter.setRequiresGradient(true);
      try (NDArray zeros = manager.zeros(parameter.getShape(), parameter.getDataType())) {
        JniUtils.backward((PtNDArray) parameter, (PtNDArray) zeros, false, false);
      }
      NDArray gradient = parameter.getGradient();
      gradient.attach(manager);
      tensors.add(gradient);
    }
  }

  /** The gradients, in the order of the parameters. */
  public NDList tensors() {
    return tensors;
  }

  /** Sets all to zero. */
  public void zero() {
    parameters.tensors().forEach(parameter -> JniUtils.zeroGrad((PtNDArray) parameter));
  }

  @Override
  public void close() {
    manager.close();
  }
}
