package roll.torch.model;

import java.util.function.Supplier;
import java.util.stream.LongStream;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.Device;

/**
 * Decides how to run forward passes without gradients that are so small that overhead matters:
 * waking other threads, and the native call itself. The decision depends on shapes alone, so that
 * the same pass is always computed in the same way. Used only on the compute thread.
 */
public final class SmallForwardTuning {
  /** Minimum multiplications of a linear layer for which several threads are faster than one. */
  private static final long THREADS = 1 << 18;

  /** Minimum multiplications for which the cost of a native call is negligible. */
  private static final long CALL = 1 << 25;

  private final Device device;
  private final double weights;

  /** Creates the policy for the model {@code spec} on {@code device}. */
  public SmallForwardTuning(Device device, DecoderSpec spec) {
    this.device = device;
    this.weights =
        DecoderParameters.layer(spec, 0).stream()
            .filter(DecoderParameters::multiplies)
            .flatMapToLong(parameter -> LongStream.of(parameter.size()))
            .average()
            .orElse(0);
  }

  /**
   * Returns whether passes of {@code tokens} tokens should be combined in one native call; always
   * true on a card, which then need not wait for the host between passes.
   */
  public boolean brief(long tokens) {
    return device.accelerated() || (weights < THREADS && tokens * weights < CALL);
  }

  /** Runs {@code pass}, which computes {@code tokens} tokens, on one thread or on all threads. */
  public <T> T run(long tokens, Supplier<T> pass) {
    return tokens * weights < THREADS ? device.limited(1, pass) : pass.get();
  }
}
