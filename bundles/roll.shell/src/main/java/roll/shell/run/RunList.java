package roll.shell.run;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.command.Syntax.Word;

/**
 * Finds training runs of this process by id.
 *
 * @param trainer that started them
 */
record RunList(Trainer trainer) {
  /** The argument that selects a run. */
  static final Word WORD =
      Word.optional("run", "run number, as listed by `runs`; optional if only one is active");

  /**
   * Returns the run {@code number}; for null the only active one.
   *
   * @throws UserException if there is no such run, or more than one
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
              : "several runs are active: select one (" + numbers(active) + ")");
    }
    return all.stream()
        .filter(run -> String.valueOf(run.number()).equals(number))
        .findFirst()
        .orElseThrow(
            () ->
                new UserException(
                    "no run '"
                        + number
                        + "' (known: "
                        + (all.isEmpty() ? "none" : numbers(all))
                        + ")"));
  }

  private static String numbers(List<TrainingRun> runs) {
    return runs.stream().map(run -> String.valueOf(run.number())).collect(Collectors.joining(", "));
  }
}
