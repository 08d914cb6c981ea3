package roll.shell.run;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.command.Syntax.Word;

/**
 * The training runs of this system.
 *
 * @param trainer started them
 */
record RunList(Trainer trainer) {
  /** The argument that names a run. */
  static final Word WORD =
      Word.optional("run", "its number, as `runs` shows it; optional if only one is active");

  /**
   * The run that {@code number} names; without a number the only one that has not ended.
   *
   * @throws UserException if there is no such run, or there are several
   */
  TrainingRun find(@Nullable String number) {
    List<TrainingRun> all = trainer.runs();
    List<TrainingRun> active = all.stream().filter(run -> run.status().state().active()).toList();
    if (number == null && active.size() == 1) {
      return active.getFirst();
    }
    if (number == null) {
      throw new UserException(
          active.isEmpty()
              ? "no run is active"
              : "several runs are active: name one (" + numbers(active) + ")");
    }
    return all.stream()
        .filter(run -> String.valueOf(run.number()).equals(number))
        .findFirst()
        .orElseThrow(
            () ->
                new UserException(
                    "no run '"
                        + number
                        + "' (there is "
                        + (all.isEmpty() ? "none" : numbers(all))
                        + ")"));
  }

  private static String numbers(List<TrainingRun> runs) {
    return runs.stream().map(run -> String.valueOf(run.number())).collect(Collectors.joining(", "));
  }
}
