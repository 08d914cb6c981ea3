package roll.runtime.pipeline;

import java.util.List;
import java.util.function.Consumer;
import roll.api.option.UserException;

/** Actions of users on a run, with the same checks and messages in the shell and on the page. */
public final class RunActions {
  private RunActions() {}

  /**
   * Pauses {@code run} between two steps.
   *
   * @return one line: what happens
   * @throws UserException if it has ended
   */
  public static String pause(TrainingRun run) {
    return give(run, TrainingRun::pause, "pauses after the current step");
  }

  /**
   * Continues {@code run}, if it is paused.
   *
   * @return one line: what happens
   * @throws UserException if it has ended
   */
  public static String resume(TrainingRun run) {
    return give(run, TrainingRun::resume, "continues");
  }

  /**
   * Saves and ends {@code run}.
   *
   * @return one line: what happens
   * @throws UserException if it has ended
   */
  public static String stop(TrainingRun run) {
    return give(run, TrainingRun::stop, "ends after the current step, saved in " + run.folder());
  }

  /**
   * Replaces a plugin of {@code run}, as {@link TrainingRun#swap} does.
   *
   * @throws UserException if that is refused; nothing is changed then
   */
  public static Swapped swap(
      TrainingRun run, String kind, String from, String to, List<String> overrides) {
    List<String> notices = run.swap(kind, from, to, overrides);
    return new Swapped(
        "run %d: %s %s → %s from the next step on".formatted(run.number(), kind, from, to),
        notices);
  }

  /**
   * An accepted replacement of a plugin in a run.
   *
   * @param line what happens
   * @param notices of the run on its new configuration
   */
  public record Swapped(String line, List<String> notices) {
    /** Creates the result of a swap with immutable copies of the notices. */
    public Swapped {
      notices = List.copyOf(notices);
    }
  }

  private static String give(TrainingRun run, Consumer<TrainingRun> order, String answer) {
    if (!run.status().state().active()) {
      throw new UserException("run " + run.number() + " has ended");
    }
    order.accept(run);
    return "run " + run.number() + " " + answer;
  }
}
