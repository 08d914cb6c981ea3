package roll.torch.sampling;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.model.VisionSpec;
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

  /** {@link #constants(VisionSpec)} of a model that does not see. */
  public static Map<String, Object> constants() {
    return constants(null);
  }

  /**
   * The constants that the sources read: where in the list of settings each setting stands, and
   * which tokens are never drawn, for they stand for parts of pictures. A strategy's own sources
   * read {@code self.STOPS}: the tokens that end each row, int64 [rows, any], padded with −1.
   *
   * @param vision what shows the model pictures; null if it does not see
   */
  public static Map<String, Object> constants(@Nullable VisionSpec vision) {
    Map<String, Object> constants = new HashMap<>(Setting.constants());
    constants.put("IMAGE", vision == null ? -1 : vision.imageToken());
    constants.put("VIDEO", vision == null ? -1 : vision.videoToken());
    return constants;
  }
}
