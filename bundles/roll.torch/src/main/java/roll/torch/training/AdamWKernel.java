package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.torch.Device;
import roll.torch.Kernels;

/**
 * The compiled AdamW step (see {@code adamw.py}) over weights and moments of the caller. Only on
 * the device's compute thread.
 */
public final class AdamWKernel implements AutoCloseable {
  private final Kernels kernels;

  /** Compiles the AdamW kernel. */
  public AdamWKernel(Device device) {
    this.kernels =
        Kernels.compile(device, Map.of(), List.of(Kernels.source(AdamWKernel.class, "adamw.py")));
  }

  /**
   * The tensors that a step reads and writes, one of each list for every parameter.
   *
   * @param weights f32
   * @param gradients f32
   * @param first moments, f32
   * @param second moments, f32
   * @param decays whether weight decay applies
   */
  public record Operands(
      NDList weights, NDList gradients, NDList first, NDList second, List<Boolean> decays) {
    /** Checks that all lists have the same size. */
    public Operands {
      decays = List.copyOf(decays);
    }

    private void addTo(List<Object> arguments, boolean decaying) {
      for (NDList list : List.of(weights, gradients, first, second)) {
        NDList chosen = new NDList();
        for (int i = 0; i < list.size(); i++) {
          if (decays.get(i) == decaying) {
            chosen.add(list.get(i));
          }
        }
        arguments.add(chosen);
      }
    }
  }

  /** Returns the sum of the squares of all numbers of {@code tensors}, which are f32. */
  public double squares(NDManager scope, NDList tensors) {
    return tensors.isEmpty() ? 0 : kernels.call(scope, "squares", tensors).head().getDouble();
  }

  /**
   * Makes a step: clips, updates weights and moments, and sets the gradients to zero. If {@code
   * norm} is not finite, weights and moments stay unchanged.
   *
   * @param number of the step, from 1
   * @param rate learning rate
   * @param norm global gradient norm of the whole model, including other ranks
   */
  public void step(
      NDManager scope,
      Operands operands,
      long number,
      double rate,
      double norm,
      AdamW.Settings settings) {
    NDArray step = scope.create((float) number);
    List<Object> arguments = new ArrayList<>();
    operands.addTo(arguments, true);
    operands.addTo(arguments, false);
    NDArray onHost = Device.host(scope).create(rate); // in f64, as a card's kernel reads it
    arguments.addAll(List.of(step, onHost, settings.beta1(), settings.beta2()));
    arguments.addAll(List.of(settings.epsilon(), settings.weightDecay(), settings.maxGradNorm()));
    arguments.add(scope.create(norm));
    kernels.call(scope, "adamw_step", arguments.toArray());
  }

  /** Rounds each tensor of {@code wide} into that of {@code narrow}. */
  void round(NDManager scope, NDList narrow, NDList wide) {
    kernels.call(scope, "round", narrow, wide);
  }

  @Override
  public void close() {
    kernels.close();
  }
}
