package roll.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.config.RunConfig;
import roll.api.config.ScheduleConfig;
import roll.api.config.UserException;

/**
 * Where a run begins: at its first step, or after a checkpoint.
 *
 * @param from the checkpoint, or null
 * @param state what the pipeline remembers of it; that of a new run where there is none
 * @param notices lines for the user
 */
record Resumption(@Nullable Path from, Checkpoints.State state, List<String> notices) {
  /**
   * Finds where {@code run} begins, once its output folder is held, and puts right what a killed
   * process left there.
   *
   * @throws UserException if the checkpoint that is named is none, or all are damaged
   */
  static Resumption of(RunConfig run, Checkpoints checkpoints) throws IOException {
    ScheduleConfig schedule = run.schedule();
    List<String> notices = new ArrayList<>();
    checkpoints.recover();
    Path named = schedule.resumeFrom();
    Path from = named;
    if (named != null) {
      if (!Files.isDirectory(named)) {
        throw new UserException("resume_from_checkpoint: folder " + named + " does not exist");
      }
      checkpoints.require(named);
    } else if (schedule.resume()) {
      from = checkpoints.newest(notices::add);
    }
    double coefficient = run.algorithm().kl().initialCoefficient();
    Checkpoints.State state =
        from == null
            ? new Checkpoints.State(0, coefficient, run.seed(), 0)
            : Checkpoints.read(from);
    if (from != null) {
      notices.add("resuming from " + from + " after step " + state.step());
      checkpoints.setAside(from, state.step(), notices::add);
    }
    return new Resumption(from, state, notices);
  }
}
