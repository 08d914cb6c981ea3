package roll.torch.training;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;
import roll.torch.vision.PicturePatches;

/**
 * Where one micro-batch after another is run: a device, and of that device alone the compiled
 * model, a view of the weights and gradients. Owns all but the weights.
 */
final class Lane {
  private final Device device;
  private final boolean own;
  private final Parameters view;
  private final Decoder decoder;
  private final ParameterGradients gradients;
  private final ForwardBackward passes;

  /** Only on the compute thread of {@code device}. */
  private Lane(
      Device device,
      boolean own,
      Parameters parameters,
      Precision precision,
      int positions,
      @Nullable PicturePatches patches,
      boolean checkpointing) {
    this.device = device;
    this.own = own;
    this.view = parameters.view(device);
    this.decoder = new Decoder(device, parameters.spec(), precision, positions, patches);
    this.gradients = new ParameterGradients(device, view);
    this.passes =
        new ForwardBackward(device, decoder, Head.of(decoder), view, gradients, checkpointing);
  }

  /**
   * Lanes that share the cores of {@code device}; a single one is the device itself. Only on its
   * compute thread.
   */
  static List<Lane> open(
      Device device,
      Parameters parameters,
      Precision precision,
      int positions,
      @Nullable PicturePatches patches,
      boolean checkpointing,
      int count) {
    if (count == 1) {
      return List.of(
          new Lane(device, false, parameters, precision, positions, patches, checkpointing));
    }
    return device.split(count).stream()
        .map(
            part ->
                part.call(
                    () ->
                        new Lane(
                            part, true, parameters, precision, positions, patches, checkpointing)))
        .toList();
  }

  /** {@link ForwardBackward#forward} of {@code samples}, padded or packed. */
  CompletableFuture<double[][]> forward(
      TokenBatch batch, int[] samples, boolean packed, long seed) {
    return device.submit(() -> passes.forward(batch, MicroBatch.of(batch, samples, packed), seed));
  }

  /** {@link ForwardBackward#backward}. */
  CompletableFuture<Boolean> backward(double[][] byColumns) {
    return device.submit(
        () -> {
          passes.backward(byColumns);
          return true;
        });
  }

  /** Forgets a forward pass and all gradients, after what was asked for. */
  void reset() {
    device.call(
        () -> {
          passes.close();
          gradients.zero();
          return true;
        });
  }

  /** The gradients; used by others only while the lane has nothing to do. */
  ParameterGradients gradients() {
    return gradients;
  }

  /** {@link Kernels#seconds}. */
  Map<String, Double> seconds() {
    return decoder.kernels().seconds();
  }

  void close() {
    device.call(
        () -> {
          passes.close();
          decoder.close();
          gradients.close();
          view.close();
          return true;
        });
    if (own) {
      device.close();
    }
  }
}
