package roll.core.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.core.output.EffectiveConfig;
import roll.core.output.RunLog;
import roll.core.output.StaleStepFiles;
import roll.core.report.CompositeTracking;
import roll.core.role.WorkerGroup;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;

/**
 * The starting point of a run: the first step, or a checkpoint.
 *
 * @param from the checkpoint, or null
 * @param state the pipeline's state, that of a new run if there is no checkpoint
 * @param found observations about the run's own checkpoints
 */
public record ResumePoint(
    @Nullable Path from, PipelineState state, CheckpointSelection.Newest found) {
  private static final CheckpointSelection.Newest NONE =
      new CheckpointSelection.Newest(null, Map.of());

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
    CheckpointSelection selection = new CheckpointSelection(checkpoints);
    CheckpointSelection.Newest found = NONE;
    if (named != null) {
      if (!Files.isDirectory(named)) {
        throw new UserException("resume_from_checkpoint: folder " + named + " does not exist");
      }
      selection.require(named);
    } else if (schedule.checkpoints().resume()) {
      found = selection.newest();
    }
    Path from = named == null ? found.checkpoint() : named;
    double coefficient = run.algorithm().kl().initialCoefficient();
    PipelineState state =
        from == null ? new PipelineState(0, coefficient, run.seed(), 0) : PipelineState.read(from);
    return new ResumePoint(from, state, found);
  }

  /**
   * Starts the run: restores {@code workers}, opens {@code trackers} and {@code log}, and makes the
   * output folder one that ends with this point.
   *
   * @return lines for the user
   */
  public List<String> start(
      LoadedConfig config,
      Checkpoints checkpoints,
      WorkerGroup workers,
      CompositeTracking trackers,
      RunLog log)
      throws InterruptedException, IOException {
    RunConfig run = config.run();
    if (from != null) {
      workers.restore(from);
    }
    trackers.openMissing(run, state.step());
    log.begin();
    NumericsReport bits = NumericsReport.of(workers);
    bits.record(log);
    List<String> notices = settle(new CheckpointSelection(checkpoints), bits);
    if (from != null) {
      EffectiveConfig.changes(config).ifPresent(notices::add);
    }
    StaleStepFiles.to(run.outputDir(), state.step());
    EffectiveConfig.write(config);
    return notices;
  }

  /** Renames the checkpoints that the run does not continue with; returns lines for the user. */
  private List<String> settle(CheckpointSelection selection, NumericsReport bits)
      throws IOException {
    List<String> notices = new ArrayList<>();
    selection.setAside(found, notices::add);
    if (from != null) {
      notices.add("resuming from " + from + " after step " + state.step());
      notices.addAll(bits.changes(from));
      selection.setAside(from, state.step(), notices::add);
    }
    return notices;
  }
}
