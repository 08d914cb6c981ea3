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
import roll.torch.model.TeacherRows;
import roll.torch.vision.PicturePatches;

/**
 * One of several parallel lanes of micro-batches: a device with its own compiled model, view of the
 * weights, and gradients. Owns all but the weights.
 */
final class ModelReplica {
  private final Device device;
  private final boolean own;
  private final Parameters view;
  private final Decoder decoder;
  private final ParameterGradients gradients;
  private final ForwardBackward passes;

  /** Only on the compute thread of {@code device}. */
  private ModelReplica(
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
   * Opens lanes that share the cores of {@code device}; a single lane uses the device itself. Only
   * on its compute thread.
   */
  static List<ModelReplica> open(
      Device device,
      Parameters parameters,
      Precision precision,
      int positions,
      @Nullable PicturePatches patches,
      boolean checkpointing,
      int count) {
    if (count == 1) {
      return List.of(
          new ModelReplica(
              device, false, parameters, precision, positions, patches, checkpointing));
    }
    return device.split(count).stream()
        .map(
            part ->
                part.call(
                    () ->
                        new ModelReplica(
                            part, true, parameters, precision, positions, patches, checkpointing)))
        .toList();
  }

  /** Runs {@link ForwardBackward#forward} of {@code part}. */
  CompletableFuture<double[][]> forward(
      TokenBatch batch, MicroBatch part, long seed, @Nullable TeacherRows teacher) {
    return device.submit(() -> passes.forward(batch, part, seed, teacher));
  }

  /** Runs {@link ForwardBackward#backward} on this replica. */
  CompletableFuture<Boolean> backward(double[][] byColumns) {
    return device.submit(
        () -> {
          passes.backward(byColumns);
          return true;
        });
  }

  /** Discards a forward pass and sets all gradients to zero, after all submitted work. */
  void reset() {
    device.call(
        () -> {
          passes.close();
          gradients.zero();
          return true;
        });
  }

  /** Returns the gradients; used by others only while the lane is idle. */
  ParameterGradients gradients() {
    return gradients;
  }

  /** Returns the kernel seconds of {@link Kernels#seconds}. */
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
