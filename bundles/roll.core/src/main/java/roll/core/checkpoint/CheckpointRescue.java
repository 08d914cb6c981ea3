package roll.core.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.role.WorkerGroup;
import roll.runtime.pipeline.RunFailure;

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

  /** For the run that holds {@code folder}, has {@code checkpoints} and trains {@code workers}. */
  public CheckpointRescue(
      OutputFolder folder, Checkpoints checkpoints, WorkerGroup workers, RunLog log) {
    this.folder = folder;
    this.checkpoints = checkpoints;
    this.workers = workers;
    this.log = log;
  }

  /**
   * Checks that the output folder is still the one that was locked.
   *
   * @param state what is saved where it is not; null where the model is of no use
   * @throws RunFailure if it is not, naming the checkpoint
   */
  public void require(Checkpoints.@Nullable State state, Map<String, Double> metrics)
      throws InterruptedException {
    String lost = folder.lost();
    if (lost == null) {
      return;
    }
    String what = "output folder %s %s while the run went on".formatted(folder.path(), lost);
    if (state == null) {
      throw new RunFailure(what + "; the numbers of the model are not finite: nothing was saved");
    }
    try {
      Path saved = save(state, metrics);
      log.line(what + ": saved " + saved);
      throw new RunFailure(
          what
              + "; the state after step %d is in %s: resume_from_checkpoint=%2$s continues it"
                  .formatted(state.step(), saved));
    } catch (IOException | UserException e) {
      throw new RunFailure(
          what
              + ", and the state after step %d could not be saved next to it: %s"
                  .formatted(state.step(), e.getMessage()));
    }
  }

  /**
   * Returns the exception for a step that failed: for a full disk one line that names the last
   * checkpoint, otherwise {@code failure}.
   */
  public RuntimeException failure(Exception failure) {
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

  private Path save(Checkpoints.State state, Map<String, Double> metrics)
      throws IOException, InterruptedException {
    Checkpoints rescued = new Checkpoints(beside(folder.path()), 0);
    Path written = rescued.begin(state.step());
    workers.save(written, metrics);
    return rescued.publish(written, state);
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
