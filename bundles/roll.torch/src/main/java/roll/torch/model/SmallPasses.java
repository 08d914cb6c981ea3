package roll.torch.model;

import java.util.function.Supplier;
import java.util.stream.LongStream;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.Device;

/**
 * Passes through a model without gradients that are so small that one thread is faster than many:
 * other threads sleep between two operations, and to wake them takes longer than what they would
 * do. It follows from the shapes alone, so that the same pass is always computed in the same way.
 * Used on the compute thread alone.
 */
public final class SmallPasses {
  /** Weights of a linear layer from which on several threads read them faster than one does. */
  private static final long WEIGHTS = 1 << 18;

  /** Multiplications of a linear layer from which on several threads are faster than one. */
  private static final long PRODUCTS = 1 << 25;

  private final Device device;
  private final double weights;

  /** Those of the model {@code spec} on {@code device}. */
  public SmallPasses(Device device, DecoderSpec spec) {
    this.device = device;
    this.weights =
        DecoderParameters.layer(spec, 0).stream()
            .filter(parameter -> parameter.shape().size() == 2 && !parameter.adapts())
            .flatMapToLong(parameter -> LongStream.of(parameter.size()))
            .average()
            .orElse(0);
  }

  /** Runs {@code pass}, which computes {@code tokens} tokens, on one thread or on all. */
  public <T> T run(long tokens, Supplier<T> pass) {
    boolean small = weights < WEIGHTS && (double) tokens * weights < PRODUCTS;
    return small ? device.limited(1, pass) : pass.get();
  }
}
