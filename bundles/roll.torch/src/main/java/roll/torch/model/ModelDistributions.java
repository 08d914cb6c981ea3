package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import roll.api.scoring.Distributions;
import roll.api.strategy.TokenBatch;
import roll.torch.Device;
import roll.torch.MicroBatch;

/**
 * The distributions of a language model on {@code device}; who lends them owns decoder and
 * parameters. Used on the device's compute thread alone.
 */
public record ModelDistributions(Device device, Decoder decoder, Parameters parameters)
    implements Distributions {
  /** The hidden states [N, hidden] that stand before the tokens of {@code part}. */
  NDArray hidden(NDManager owner, TokenBatch batch, MicroBatch part) {
    return decoder.hidden(owner, parameters, decoder.input(owner, batch, part));
  }

  /** What makes logits of them. */
  NDArray head() {
    return parameters.head().singletonOrThrow();
  }
}
