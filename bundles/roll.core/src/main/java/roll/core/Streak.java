package roll.core;

import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunFailure;

/** How many steps in a row could not be trained on, for numbers that are not finite. */
final class Streak {
  private final int limit;
  private int length;
  private @Nullable String last;
  private boolean modelBroken;

  /**
   * A streak that ends the run at {@code limit}; 0: never ({@code max_skipped_steps}).
   *
   * @param length what it was when the run was saved
   */
  Streak(int limit, int length) {
    this.limit = limit;
    this.length = length;
  }

  /** How many steps in a row could not be trained on. */
  int length() {
    return length;
  }

  /** Adds a step that {@code inspection} saw. */
  void add(Inspection inspection) {
    add(inspection.problem());
    modelBroken = inspection.modelBroken();
  }

  /** Adds a step; {@code problem} is what kept it from being trained on, or null. */
  void add(@Nullable String problem) {
    last = problem;
    length = last == null ? 0 : length + 1;
  }

  /**
   * Whether the model itself gave such numbers in the last step, so that it is not worth saving.
   */
  boolean modelBroken() {
    return modelBroken;
  }

  /** Whether the run is to end. */
  boolean tooLong() {
    return limit > 0 && length >= limit;
  }

  /**
   * What a run ends with whose last step could not be trained on, so that there is nothing to save.
   *
   * @param saved steps that the newest checkpoint has, or −1
   */
  RunFailure unsaved(int saved) {
    return new RunFailure(
        "the last %s could not be trained on: %s; %s"
            .formatted(length == 1 ? "step" : length + " steps", last, left(saved)));
  }

  /**
   * What ends the run.
   *
   * @param saved steps that the newest checkpoint has, or −1
   */
  UserException failure(int saved) {
    return new UserException(
        "max_skipped_steps: %d %s could not be trained on: %s; %s"
            .formatted(length, length == 1 ? "step" : "steps in a row", last, left(saved)));
  }

  private static String left(int saved) {
    return saved < 0 ? "nothing was saved" : "the last good state is checkpoint-" + saved;
  }
}
