package roll.core;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.api.config.UserException;
import roll.api.pipeline.TrainingRun;

/** A run on a thread of its own. */
final class Run implements TrainingRun {
  private final OutputFolder folder;
  private final RunLog log;
  private final AtomicBoolean stop;
  private final List<String> notices;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  private Run(OutputFolder folder, RunLog log, AtomicBoolean stop, List<String> notices) {
    this.folder = folder;
    this.log = log;
    this.stop = stop;
    this.notices = notices;
  }

  /** Starts {@code pipeline}; the folder and the log are closed when it ends. */
  static Run start(
      OutputFolder folder,
      RunLog log,
      AtomicBoolean stop,
      List<String> notices,
      Pipeline pipeline) {
    Run run = new Run(folder, log, stop, notices);
    notices.forEach(log::line);
    Thread.ofPlatform().name("roll-run").start(() -> run.work(pipeline));
    return run;
  }

  private void work(Pipeline pipeline) {
    Outcome result = null;
    Throwable failure = null;
    try {
      result = pipeline.perform();
      log.line("ended after step " + result.steps());
    } catch (UserException e) {
      failure = e;
      log.line("refused: " + e.getMessage());
    } catch (Throwable e) {
      failure = e;
      log.failure("failed", e);
    }
    log.close();
    folder.close();
    if (result != null) {
      outcome.complete(result);
    } else if (failure != null) {
      outcome.completeExceptionally(failure);
    }
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  @Override
  public Path folder() {
    return folder.path();
  }

  @Override
  public void stop() {
    stop.set(true);
  }

  @Override
  public CompletableFuture<Outcome> outcome() {
    return outcome.copy();
  }
}
