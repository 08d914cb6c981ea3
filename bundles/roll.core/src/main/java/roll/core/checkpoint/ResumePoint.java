package roll.core.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;

/**
 * The starting point of a run: the first step, or a checkpoint.
 *
 * @param from the checkpoint, or null
 * @param state the pipeline's state, that of a new run if there is no checkpoint
 * @param found observations about the run's own checkpoints
 */
public record ResumePoint(@Nullable Path from, Checkpoints.State state, Checkpoints.Newest found) {
  private static final Checkpoints.Newest NONE = new Checkpoints.Newest(null, Map.of());

  /**
   * Finds where {@code run} begins, once its output folder is held, and puts right what a killed
   * process left there.
   *
   * @throws UserException if the checkpoint that is named is none, or all are damaged
   */
  public static ResumePoint of(RunConfig run, Checkpoints checkpoints) throws IOException {
    checkpoints.recover();
    return look(run, checkpoints);
  }

  /** Finds the first step or checkpoint where {@code run} would begin; changes nothing. */
  static ResumePoint look(RunConfig run, Checkpoints checkpoints) throws IOException {
    ScheduleConfig schedule = run.schedule();
    Path named = schedule.checkpoints().resumeFrom();
    Checkpoints.Newest found = NONE;
    if (named != null) {
      if (!Files.isDirectory(named)) {
        throw new UserException("resume_from_checkpoint: folder " + named + " does not exist");
      }
      checkpoints.require(named);
    } else if (schedule.checkpoints().resume()) {
      found = checkpoints.newest();
    }
    Path from = named == null ? found.checkpoint() : named;
    double coefficient = run.algorithm().kl().initialCoefficient();
    Checkpoints.State state =
        from == null
            ? new Checkpoints.State(0, coefficient, run.seed(), 0)
            : Checkpoints.read(from);
    return new ResumePoint(from, state, found);
  }

  /**
   * Renames the checkpoints that the run, which begins now, does not continue with.
   *
   * @param bits what the last bits of the restored models depend on
   * @return lines for the user
   */
  public List<String> settle(Checkpoints checkpoints, NumericsReport bits) throws IOException {
    List<String> notices = new ArrayList<>();
    checkpoints.setAside(found, notices::add);
    if (from != null) {
      notices.add("resuming from " + from + " after step " + state.step());
      notices.addAll(bits.changes(from));
      checkpoints.setAside(from, state.step(), notices::add);
    }
    return notices;
  }
}
