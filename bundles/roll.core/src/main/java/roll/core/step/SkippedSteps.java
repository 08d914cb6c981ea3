package roll.core.step;

import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunFailure;

/** Counts the steps in a row that could not be trained on because numbers were not finite. */
public final class SkippedSteps {
  private final int limit;
  private int length;
  private @Nullable String last;
  private boolean modelBroken;

  /**
   * A count that ends the run at {@code limit}; 0: never ({@code max_skipped_steps}).
   *
   * @param length what it was when the run was saved
   */
  public SkippedSteps(int limit, int length) {
    this.limit = limit;
    this.length = length;
  }

  /** Returns the number of consecutive skipped steps. */
  public int length() {
    return length;
  }

  /** Adds a step that {@code guard} saw. */
  public void add(NonFiniteGuard guard) {
    add(guard.problem());
    modelBroken = guard.modelBroken();
  }

  /** Adds a step; {@code problem} is the reason why it was not trained on, or null. */
  public void add(@Nullable String problem) {
    last = problem;
    length = last == null ? 0 : length + 1;
  }

  /**
   * Whether the model itself gave such numbers in the last step, so that it is not worth saving.
   */
  public boolean modelBroken() {
    return modelBroken;
  }

  /** Whether so many steps were skipped that the run must end. */
  public boolean tooLong() {
    return limit > 0 && length >= limit;
  }

  /**
   * The failure of a run whose last step was skipped, so that there is nothing to save.
   *
   * @param saved steps of the newest checkpoint, or −1
   */
  public RunFailure unsaved(int saved) {
    return new RunFailure(
        "the last %s could not be trained on: %s; %s"
            .formatted(length == 1 ? "step" : length + " steps", last, left(saved)));
  }

  /**
   * Returns the exception that ends the run after too many skipped steps.
   *
   * @param saved steps of the newest checkpoint, or −1
   */
  public UserException failure(int saved) {
    return new UserException(
        "max_skipped_steps: %d %s could not be trained on: %s; %s"
            .formatted(length, length == 1 ? "step" : "steps in a row", last, left(saved)));
  }

  private static String left(int saved) {
    return saved < 0 ? "nothing was saved" : "the last good state is checkpoint-" + saved;
  }
}
