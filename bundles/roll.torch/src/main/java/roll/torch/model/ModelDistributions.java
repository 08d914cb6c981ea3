package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import roll.api.scoring.Distributions;
import roll.api.strategy.TokenBatch;
import roll.torch.Device;
import roll.torch.MicroBatch;

/**
 * The token distributions of a language model on {@code device}; decoder and parameters are
 * borrowed. Used only on the device's compute thread.
 */
public record ModelDistributions(Device device, Decoder decoder, Parameters parameters)
    implements Distributions {
  /** Returns the hidden states [N, hidden] that predict the tokens of {@code part}. */
  NDArray hidden(NDManager owner, TokenBatch batch, MicroBatch part) {
    return decoder.hidden(owner, parameters, decoder.input(owner, batch, part));
  }

  /** Returns the weight of the token head. */
  NDArray head() {
    return parameters.head().singletonOrThrow();
  }
}
