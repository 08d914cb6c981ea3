package roll.core.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.report.CompositeTracking;
import roll.core.role.WorkerGroup;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.TrainingRun.Outcome;

/**
 * Handles a run whose output folder was removed or replaced during training: the run ends, and its
 * state is saved in a new folder {@code <output folder>.rescued}.
 */
public final class CheckpointRescue {
  /** Operating system messages for a full disk. */
  private static final Pattern FULL =
      Pattern.compile(
          "No space left on device|[Qq]uota exceeded|Read-only file system|Input/output error"
              + "|Too many open files|Stale file handle");

  private final OutputFolder folder;
  private final Checkpoints checkpoints;
  private final WorkerGroup workers;
  private final RunLog log;
  private final Supplier<@Nullable PipelineState> state;
  private final Supplier<Map<String, Double>> metrics;

  /**
   * For the run that holds {@code folder}, has {@code checkpoints} and trains {@code workers}.
   *
   * @param state returns what is saved where the folder is gone; null where the model is of no use
   * @param metrics returns those that saving adds to
   */
  public CheckpointRescue(
      OutputFolder folder,
      Checkpoints checkpoints,
      WorkerGroup workers,
      RunLog log,
      Supplier<@Nullable PipelineState> state,
      Supplier<Map<String, Double>> metrics) {
    this.folder = folder;
    this.checkpoints = checkpoints;
    this.workers = workers;
    this.log = log;
    this.state = state;
    this.metrics = metrics;
  }

  /**
   * Performs {@code steps}. If they fail since the output folder is gone, that is the failure: what
   * could not be written says little.
   */
  public Outcome perform(CompositeTracking.Steps steps) throws InterruptedException {
    try {
      return steps.perform();
    } catch (UserException e) {
      require();
      throw e;
    } catch (IOException | UncheckedIOException e) {
      require();
      throw failure(e);
    }
  }

  /**
   * Checks that the output folder is still the one that was locked.
   *
   * @throws RunFailure if it is not, naming the checkpoint
   */
  public void require() throws InterruptedException {
    String lost = folder.lost();
    if (lost == null) {
      return;
    }
    String what = "output folder %s %s while the run went on".formatted(folder.path(), lost);
    PipelineState now = state.get();
    if (now == null) {
      throw new RunFailure(what + "; the numbers of the model are not finite: nothing was saved");
    }
    try {
      Path saved = save(now);
      log.line(what + ": saved " + saved);
      throw new RunFailure(
          what
              + "; the state after step %d is in %s: resume_from_checkpoint=%2$s continues it"
                  .formatted(now.step(), saved));
    } catch (IOException | UserException e) {
      throw new RunFailure(
          what
              + ", and the state after step %d could not be saved next to it: %s"
                  .formatted(now.step(), e.getMessage()));
    }
  }

  /**
   * Returns the exception for a step that failed: for a full disk one line that names the last
   * checkpoint, otherwise {@code failure}.
   */
  private RuntimeException failure(Exception failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      String message = String.valueOf(e.getMessage());
      if (FULL.matcher(message).find()) {
        return new UserException(
            "output folder %s cannot be written: %s; %s"
                .formatted(folder.path(), message, DiskSpace.whatIsThere(saved())),
            failure);
      }
    }
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }

  private int saved() {
    try {
      return checkpoints.last();
    } catch (IOException e) {
      return -1;
    }
  }

  private Path save(PipelineState now) throws IOException, InterruptedException {
    Checkpoints rescued = new Checkpoints(beside(folder.path()), 0);
    Path written = rescued.begin(now.step());
    workers.save(written, metrics.get());
    return rescued.publish(written, now);
  }

  private static Path beside(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    Path first = Path.of(path.toAbsolutePath() + ".rescued");
    Path beside = first;
    for (int n = 2; Files.exists(beside); n++) {
      beside = Path.of(first + "." + n);
    }
    if (parent != null) {
      Files.createDirectories(parent);
    }
    return Files.createDirectory(beside);
  }
}
