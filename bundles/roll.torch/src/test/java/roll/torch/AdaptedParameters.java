package roll.torch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.model.Parameters;

/** Parameters whose adapters have been trained, as far as a test can tell. */
public final class AdaptedParameters {
  private AdaptedParameters() {}

  /** Random weights for {@code spec}, and random adapters that do change something. */
  public static Parameters random(Device device, DecoderSpec spec, long seed) {
    Parameters parameters = Parameters.random(device, spec, seed);
    RandomGenerator random = RandomStreams.of(seed, "adapters");
    for (int i = 0; i < DecoderParameters.of(spec).size(); i++) {
      if (DecoderParameters.of(spec).get(i).adapts()) {
        MemorySegment memory = parameters.memory(i);
        for (long at = 0; at < memory.byteSize(); at += Float.BYTES) {
          memory.set(ValueLayout.JAVA_FLOAT, at, (float) (0.3 * random.nextGaussian()));
        }
      }
    }
    return parameters;
  }
}
