package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import roll.torch.training.TrainState.Kind;

/**
 * The updates of some trained parameters by one {@link UpdateRule}, and the tensors that the rule
 * keeps of them. Only on the device's compute thread.
 */
sealed interface Updates extends AutoCloseable permits AdamW, AdamW8Bit, Muon {
  /**
   * Updates the parameters and sets their gradients to zero. If the norm is not finite, parameters
   * and tensors stay unchanged.
   *
   * @param gradients one for each parameter
   * @param number of the step, from 1
   * @param rate learning rate
   * @param norm of the gradients of all parameters
   */
  void step(NDManager scope, NDList gradients, long number, double rate, double norm);

  /** Returns a tensor that is kept of a parameter, or null. */
  @Nullable NDArray kept(Kind kind, int parameter);

  @Override
  void close();
}
