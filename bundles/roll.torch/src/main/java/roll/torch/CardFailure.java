package roll.torch;

import ai.djl.engine.EngineException;
import roll.api.option.UserException;

/** What went wrong on an accelerator, in one line. */
final class CardFailure {
  private CardFailure() {}

  /**
   * The failure to pass on for one of {@code device}: of lack of memory and of a card that answers
   * no more a {@link UserException}, as nothing is wrong with the program; any other as it is.
   */
  static RuntimeException of(String device, EngineException failure) {
    String line = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
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
}
