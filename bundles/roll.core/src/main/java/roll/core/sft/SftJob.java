package roll.core.sft;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.api.option.UserException;
import roll.api.plugin.Errand;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.TrainingRun.Outcome;

/** A supervised warm start on a thread of its own. */
final class SftJob implements SftRun {
  private final OutputFolder folder;
  private final RunLog log;
  private final List<String> notices;
  private final AtomicBoolean stop;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  /** One that is not yet begun; {@code stop} is what its pipeline looks at. */
  SftJob(OutputFolder folder, RunLog log, List<String> notices, AtomicBoolean stop) {
    this.folder = folder;
    this.log = log;
    this.notices = List.copyOf(notices);
    this.stop = stop;
  }

  /** Starts {@code pipeline}; the folder and the log are closed when it ends. */
  void start(SftPipeline pipeline) {
    notices.forEach(log::line);
    Thread.ofPlatform().name("roll-sft").start(new Errand(() -> work(pipeline)));
  }

  private void work(SftPipeline pipeline) {
    Outcome result = null;
    Throwable failure = null;
    try {
      result = pipeline.perform();
      log.line("ended after step " + result.steps());
    } catch (UserException e) {
      failure = e;
      log.line("refused: " + e.getMessage());
    } catch (RunFailure e) {
      failure = e;
      log.line("failed: " + e.getMessage());
    } catch (Throwable e) {
      failure = e;
      log.failure("failed", e);
    }
    folder.end(log);
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
