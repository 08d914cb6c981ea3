package roll.sampling;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import roll.torch.Kernels;

/**
 * The sampler's kernels, to be {@link Kernels#compile compiled} together with a strategy's own,
 * which call {@code seen_tokens} and {@code sample} (see {@code sample.py}) with the tensors of
 * {@link SamplingTensors}.
 */
public final class SampleKernels {
  private SampleKernels() {}

  /** Returns the source texts of the sampler. */
  public static List<String> sources() {
    return sources("ranked_filter.py");
  }

  /** Returns the source texts of the sampler that never waits for a card. */
  public static List<String> cardSources() {
    return sources("card_filter.py");
  }

  private static List<String> sources(String filter) {
    return Stream.of("sample.py", filter)
        .map(name -> Kernels.source(SampleKernels.class, name))
        .toList();
  }

  /**
   * Returns the constants of the sources, in addition to {@code IMAGE} and {@code VIDEO} of a
   * decoder's: the index of each setting in the list of settings, and a bound. A strategy's own
   * sources use {@code self.STOPS}: the tokens that end each row, int64 [rows, any], padded with
   * −1.
   */
  public static Map<String, Object> constants() {
    return SamplerInput.constants();
  }
}
