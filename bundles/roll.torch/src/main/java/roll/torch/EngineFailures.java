package roll.torch;

import ai.djl.engine.EngineException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.option.UserException;

/** What goes wrong in libtorch without anything being wrong with the program, in one line. */
final class EngineFailures {
  private static final Pattern NOT_DETERMINISTIC =
      Pattern.compile("(\\S+) does not have a deterministic implementation");

  private EngineFailures() {}

  /** That this machine has no library to load, or none that can be loaded. */
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
   * The failure to pass on for one of {@code device}: of lack of memory and of a card that answers
   * no more a {@link UserException}, as nothing is wrong with the program; any other as it is.
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
          "%s: the card failed (%s); a run goes on from its last checkpoint in a new process"
              .formatted(device, line),
          failure);
    }
    return failure;
  }

  /**
   * {@code failure} of a kernel, a {@link UserException} where {@code full_determinism} is asked
   * for and an operation has no deterministic algorithm; any other as it is.
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
