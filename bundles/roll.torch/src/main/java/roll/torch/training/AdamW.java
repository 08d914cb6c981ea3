package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.config.TrainingConfig;
import roll.torch.Device;
import roll.torch.training.TrainState.Kind;

/**
 * AdamW (Loshchilov and Hutter 2019, as {@code torch.optim.AdamW}). Weight decay applies to
 * matrices, not to biases and norms. Owns the moments.
 */
public final class AdamW implements Updates {
  private final AdamWKernel kernel;
  private final NDManager owner;
  private final NDList weights;
  private final NDList first;
  private final NDList second;
  private final List<Boolean> decays;
  private final Settings settings;

  /**
   * Creates updates of {@code weights}, with moments of zero.
   *
   * @param weights f32, updated in place
   */
  AdamW(Device device, NDList weights, Settings settings) {
    this.kernel = new AdamWKernel(device);
    this.owner = device.newManager();
    this.weights = weights;
    this.first = zeros(owner, weights);
    this.second = zeros(owner, weights);
    this.decays = weights.stream().map(weight -> weight.getShape().dimension() > 1).toList();
    this.settings = settings;
  }

  /** Returns a tensor of zeros for each of {@code like}. */
  static NDList zeros(NDManager owner, NDList like) {
    NDList zeros = new NDList(like.size());
    like.forEach(tensor -> zeros.add(owner.zeros(tensor.getShape())));
    return zeros;
  }

  @Override
  public void step(NDManager scope, NDList gradients, long number, double rate, double norm) {
    var operands = new AdamWKernel.Operands(weights, gradients, first, second, decays);
    kernel.step(scope, operands, number, rate, norm, settings);
  }

  @Override
  public @Nullable NDArray kept(Kind kind, int parameter) {
    return switch (kind) {
      case WEIGHT, FIRST_SCALES, SECOND_SCALES -> null;
      case FIRST -> first.get(parameter);
      case SECOND -> second.get(parameter);
    };
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
