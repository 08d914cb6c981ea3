package roll.sampling;

import java.util.List;
import java.util.Map;
import roll.torch.Kernels;

/**
 * The kernels that draw tokens, to be {@link Kernels#compile compiled} together with a strategy's
 * own. Theirs call {@code seen} and {@code choose}, which {@code sample.py} explains, with what
 * {@link SamplingTensors} gives.
 */
public final class SampleKernels {
  private SampleKernels() {}

  /** The text of {@code sample.py}. */
  public static List<String> sources() {
    return List.of(Kernels.source(SampleKernels.class, "sample.py"));
  }

  /**
   * The constants that the sources read beside {@code IMAGE} and {@code VIDEO} of a decoder's:
   * where in the list of settings each setting stands. A strategy's own sources read {@code
   * self.STOPS}: the tokens that end each row, int64 [rows, any], padded with −1.
   */
  public static Map<String, Object> constants() {
    return Setting.constants();
  }
}
