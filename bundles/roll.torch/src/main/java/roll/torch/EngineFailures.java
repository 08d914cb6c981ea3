package roll.torch;

import ai.djl.engine.EngineException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.option.UserException;

/** One-line messages for failures of libtorch that are not programming errors. */
final class EngineFailures {
  private static final Pattern NOT_DETERMINISTIC =
      Pattern.compile("(\\S+) does not have a deterministic implementation");

  private EngineFailures() {}

  /** Returns the failure that this machine has no PyTorch library, or none that can be loaded. */
  static UserException notLoaded(Throwable failure) {
    return new UserException(
        "no PyTorch library can be loaded for %s-%s: %s"
            .formatted(
                System.getProperty("os.name").toLowerCase(Locale.ROOT),
                System.getProperty("os.arch"),
                firstLine(root(failure))),
        failure);
  }

  private static Throwable root(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : root(cause);
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  /**
   * Returns the exception to throw for a failure of {@code device}: a {@link UserException} for
   * lack of memory and for a card that failed, any other failure unchanged.
   */
  static RuntimeException ofCard(String device, EngineException failure) {
    String line = firstLine(failure);
    if (line.contains("out of memory")) {
      return new UserException(
          "%s: not enough memory on the card (%s); plan says who needs it".formatted(device, line),
          failure);
    }
    if (line.contains("CUDA error") || line.contains("CUDA driver error")) {
      return new UserException(
          "%s: the card failed (%s); continue the run from its last checkpoint in a new process"
              .formatted(device, line),
          failure);
    }
    return failure;
  }

  /**
   * Returns the exception to throw for {@code failure} of a kernel: a {@link UserException} if an
   * operation has no deterministic algorithm, which {@code full_determinism} requires; any other
   * failure unchanged.
   */
  static RuntimeException ofOperation(EngineException failure) {
    Matcher none = NOT_DETERMINISTIC.matcher(String.valueOf(failure.getMessage()));
    return none.find()
        ? new UserException(
            "full_determinism: expected false, found 'true': libtorch has no deterministic"
                + " algorithm for "
                + none.group(1)
                + " on this device",
            failure)
        : failure;
  }
}
