package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.model.TrainedParameters;
import roll.torch.training.TrainState.Kind;

/**
 * Muon (Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks") of single
 * matrices, scaled as in Moonlight (Liu et al. 2025, arXiv 2502.16982, equation 4), so that
 * learning rate and weight decay of AdamW carry over. Newton–Schulz iterations compute in the
 * number format of the model's matrix. Owns the momentum.
 */
final class Muon implements Updates {
  private final Kernels kernels;
  private final NDManager owner;
  private final TrainedParameters matrices;
  private final NDList momentum;
  private final AdamW.Settings settings;

  /**
   * Creates updates of {@code matrices}, with a momentum of zero.
   *
   * @param matrices whose masters are updated in place
   */
  Muon(Device device, TrainedParameters matrices, AdamW.Settings settings) {
    this.kernels =
        Kernels.compile(device, Map.of(), List.of(Kernels.source(Muon.class, "muon.py")));
    this.owner = device.newManager();
    this.matrices = matrices;
    this.momentum = AdamW.zeros(owner, matrices.masters());
    this.settings = settings;
  }

  @Override
  public void step(NDManager scope, NDList gradients, long number, double rate, double norm) {
    kernels.call(
        scope,
        "muon_step",
        matrices.masters(),
        matrices.tensors(),
        gradients,
        momentum,
        rate,
        settings.weightDecay(),
        settings.maxGradNorm(),
        norm);
  }

  @Override
  public @Nullable NDArray kept(Kind kind, int parameter) {
    return kind == Kind.FIRST ? momentum.get(parameter) : null;
  }

  @Override
  public void close() {
    owner.close();
    kernels.close();
  }
}
