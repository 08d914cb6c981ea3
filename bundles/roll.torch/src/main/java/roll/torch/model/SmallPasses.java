package roll.torch.model;

import java.util.function.Supplier;
import java.util.stream.LongStream;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.Device;

/**
 * Passes through a model without gradients that take so little time that what is around their
 * products counts: waking other threads, and the call itself. It follows from the shapes alone, so
 * that the same pass is always computed in the same way. Used on the compute thread alone.
 */
public final class SmallPasses {
  /** Multiplications of a linear layer from which on several threads are faster than one. */
  private static final long THREADS = 1 << 18;

  /** The same from which on a native call of its own costs a pass nothing. */
  private static final long CALL = 1 << 25;

  private final Device device;
  private final double weights;

  /** Those of the model {@code spec} on {@code device}. */
  public SmallPasses(Device device, DecoderSpec spec) {
    this.device = device;
    this.weights =
        DecoderParameters.layer(spec, 0).stream()
            .filter(DecoderParameters::multiplies)
            .flatMapToLong(parameter -> LongStream.of(parameter.size()))
            .average()
            .orElse(0);
  }

  /**
   * Whether a pass that computes {@code tokens} tokens is better one of several in a call; on a
   * card it always is, which then need not wait for the host in between.
   */
  public boolean brief(long tokens) {
    return device.accelerated() || (weights < THREADS && tokens * weights < CALL);
  }

  /** Runs {@code pass}, which computes {@code tokens} tokens, on one thread or on all. */
  public <T> T run(long tokens, Supplier<T> pass) {
    return tokens * weights < THREADS ? device.limited(1, pass) : pass.get();
  }
}
