package roll.core.sft;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.report.PipelineThread;
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
    new PipelineThread(folder, log).start("roll-sft", notices, pipeline::perform, this::ended);
  }

  private void ended(@Nullable Outcome result, @Nullable Throwable failure) {
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
