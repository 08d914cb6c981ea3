package roll.torch.training;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import roll.api.config.TrainingConfig;
import roll.torch.Device;
import roll.torch.model.TrainedParameters;

/**
 * AdamW (Loshchilov and Hutter 2019, as {@code torch.optim.AdamW}) with clipping by the global
 * gradient norm. Weight decay applies to matrices, not to biases and norms. For bf16 weights it
 * updates the f32 masters and rounds them.
 *
 * <p>Owns the moments. Only on the device's compute thread.
 */
public final class AdamW implements AutoCloseable {
  private final AdamWKernel kernel;
  private final NDManager owner;
  private final TrainedParameters trained;
  private final NDList first;
  private final NDList second;
  private final Settings settings;
  private long steps;

  /**
   * Creates an optimizer at step 0.
   *
   * @param trained parameters that each step updates in place
   */
  public AdamW(Device device, TrainedParameters trained, Settings settings) {
    this.kernel = new AdamWKernel(device);
    this.owner = device.newManager();
    this.trained = trained;
    this.first = zeros(trained.masters());
    this.second = zeros(trained.masters());
    this.settings = settings;
  }

  private NDList zeros(NDList like) {
    NDList zeros = new NDList(like.size());
    like.forEach(tensor -> zeros.add(owner.zeros(tensor.getShape())));
    return zeros;
  }

  /**
   * Makes an AdamW step. If the gradient norm is not finite, weights, moments and step count stay
   * unchanged.
   *
   * @param gradients one for each parameter; set to zero afterward
   * @param learningRate of this step
   * @return the global gradient norm before clipping
   */
  public double step(NDList gradients, double learningRate) {
    try (NDManager scope = owner.newSubManager()) {
      double norm = Math.sqrt(kernel.squares(scope, gradients));
      List<Boolean> decays =
          first.stream().map(moment -> moment.getShape().dimension() > 1).toList();
      var operands = new AdamWKernel.Operands(trained.masters(), gradients, first, second, decays);
      kernel.step(scope, operands, steps + 1, learningRate, norm, settings);
      steps += Double.isFinite(norm) ? 1 : 0;
      round(scope);
      return norm;
    }
  }

  private void round(NDManager scope) {
    NDList narrow = new NDList();
    NDList wide = new NDList();
    for (int i = 0; i < trained.tensors().size(); i++) {
      if (trained.tensors().get(i) != trained.masters().get(i)) {
        narrow.add(trained.tensors().get(i));
        wide.add(trained.masters().get(i));
      }
    }
    if (!narrow.isEmpty()) {
      kernel.round(scope, narrow, wide);
    }
  }

  /** Returns the number of optimizer steps made, without skipped ones. */
  public long steps() {
    return steps;
  }

  /** Sets the step count after moments and masters were restored. */
  public void resume(long made) {
    steps = made;
    try (NDManager scope = owner.newSubManager()) {
      round(scope);
    }
  }

  /** Returns the first moments, one for each parameter: the running mean of the gradient. */
  public NDList firstMoments() {
    return first;
  }

  /**
   * Returns the second moments, one for each parameter: the running mean of the squared gradient.
   */
  public NDList secondMoments() {
    return second;
  }

  /** Frees the moments of AdamW. */
  @Override
  public void close() {
    owner.close();
    kernel.close();
  }

  /**
   * The hyperparameters that are constant over a run.
   *
   * @param beta1 decay of the first moment
   * @param beta2 decay of the second moment
   * @param epsilon added to the root of the second moment
   * @param weightDecay decoupled decay of matrices
   * @param maxGradNorm maximum global gradient norm
   */
  public record Settings(
      double beta1, double beta2, double epsilon, double weightDecay, double maxGradNorm) {
    /** Default ε of torch and transformers. */
    private static final double EPSILON = 1e-8;

    /** Returns the settings of a role with gradients clipped to {@code maxGradNorm}. */
    public static Settings of(TrainingConfig training, double maxGradNorm) {
      return new Settings(
          training.beta1(), training.beta2(), EPSILON, training.weightDecay(), maxGradNorm);
    }
  }
}
