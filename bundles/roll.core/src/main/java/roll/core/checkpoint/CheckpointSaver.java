package roll.core.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.core.output.FolderTree;
import roll.core.output.RunLog;
import roll.core.role.WorkerGroup;
import roll.runtime.config.RunConfig;

/**
 * Saves the state of a run, one checkpoint at a time. In the background it is copied at the
 * boundary of a step and written while training continues; otherwise it is written at the boundary.
 */
public final class CheckpointSaver implements AutoCloseable {
  private final Checkpoints checkpoints;
  private final DiskSpace disk;
  private final WorkerGroup workers;
  private final boolean background;
  private final RunLog log;
  private @Nullable Taken taken;
  private CompletableFuture<Integer> writing;

  /**
   * A snapshot of the run's state that is still to be written.
   *
   * @param state the pipeline's part of it
   * @param written the folder it was written into, or null where the roles hold copies
   */
  private record Taken(PipelineState state, @Nullable Path written) {}

  /** Creates the checkpoint saver of {@code run}, which began at {@code begin}. */
  public static CheckpointSaver of(
      RunConfig run,
      ResumePoint begin,
      Checkpoints checkpoints,
      DiskSpace disk,
      WorkerGroup workers,
      RunLog log) {
    int saved = begin.from() == null ? -1 : begin.state().step();
    return new CheckpointSaver(
        checkpoints, disk, workers, run.schedule().checkpoints().asyncSave(), log, saved);
  }

  /**
   * Creates the saver of the state of {@code workers}.
   *
   * @param background whether training continues while it is written ({@code async_save_ckpt})
   * @param saved steps that the newest checkpoint has, or −1
   */
  CheckpointSaver(
      Checkpoints checkpoints,
      DiskSpace disk,
      WorkerGroup workers,
      boolean background,
      RunLog log,
      int saved) {
    this.checkpoints = checkpoints;
    this.disk = disk;
    this.workers = workers;
    this.background = background;
    this.log = log;
    this.writing = CompletableFuture.completedFuture(saved);
  }

  /**
   * Copies the current state after the previous save is done. It becomes visible with {@link
   * #release}. {@code metrics} gets {@code time/step_checkpoint}, the seconds this took.
   *
   * @throws UserException if there is not enough disk space, or the previous save failed
   */
  public void take(PipelineState state, Map<String, Double> metrics)
      throws InterruptedException, IOException {
    long start = System.nanoTime();
    finish();
    disk.require();
    try {
      if (background) {
        workers.snapshot(metrics);
      }
      taken = new Taken(state, background ? null : write(state, metrics));
    } catch (IOException | RuntimeException e) {
      throw failure(e);
    }
    metrics.put("time/step_checkpoint", (System.nanoTime() - start) / 1e9);
  }

  /** Writes the copied state as a checkpoint, in the background if configured. */
  public void release() {
    Taken now = taken;
    if (now == null) {
      throw new IllegalStateException("nothing was taken");
    }
    taken = null;
    CompletableFuture<Integer> next = new CompletableFuture<>();
    writing = next;
    if (background) {
      Thread.ofPlatform().name("roll-save").start(new OneShotTask(() -> publish(now, next)));
    } else {
      publish(now, next);
    }
  }

  /**
   * Saves the state as it is now, unless that has been done, and waits until it is whole.
   *
   * @return the checkpoint
   */
  public Path save(PipelineState state, Map<String, Double> metrics)
      throws InterruptedException, IOException {
    // one that was named in another folder is not there
    if (finish() != state.step() || !Files.isDirectory(checkpoints.of(state.step()))) {
      take(state, metrics);
      release();
    }
    return checkpoints.of(finish());
  }

  private void publish(Taken now, CompletableFuture<Integer> done) {
    long start = System.nanoTime();
    PipelineState state = now.state();
    try {
      Path written = now.written();
      if (written == null) {
        written = write(state, new LinkedHashMap<>());
      }
      Path place = checkpoints.publish(written, state);
      log.line(
          String.format(
              Locale.ROOT,
              "saved %s, %.1f MB, %.3f s%s",
              place,
              FolderTree.bytes(place) / (double) (1 << 20),
              (System.nanoTime() - start) / 1e9,
              background ? " in the background" : ""));
      done.complete(state.step());
    } catch (Throwable e) {
      log.failure("checkpoint-" + state.step() + " could not be written", e);
      done.completeExceptionally(e);
    }
  }

  private Path write(PipelineState state, Map<String, Double> metrics)
      throws InterruptedException, IOException {
    Path beside = checkpoints.begin(state.step());
    workers.save(beside, metrics);
    return beside;
  }

  /**
   * Checks between two steps whether the save in progress has failed.
   *
   * @throws UserException if it has
   */
  public void check() throws IOException {
    if (writing.isDone()) {
      finish();
    }
  }

  /**
   * Waits for the save in progress.
   *
   * @return steps that the newest checkpoint has, or −1
   * @throws UserException if it failed
   */
  public int finish() throws IOException {
    try {
      return writing.join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  private UserException failure(Throwable failure) throws IOException {
    Throwable cause = failure;
    while (cause.getCause() != null && !(cause instanceof UserException)) {
      cause = cause.getCause();
    }
    String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new UserException(
        "a checkpoint could not be written into %s: %s; %s"
            .formatted(checkpoints.folder(), reason, DiskSpace.whatIsThere(checkpoints.last())),
        failure);
  }

  /** Waits for the save in progress; a failure is logged. */
  @Override
  public void close() {
    writing.exceptionally(failure -> -1).join();
  }
}
