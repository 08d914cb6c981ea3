package roll.core.report;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.api.rank.RanksLostException;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.plugin.PluginException;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.TrainingRun.Outcome;

/**
 * A pipeline on a thread of its own, and what came of it: the log has its last line when the
 * outcome is there, and the folder is free.
 */
public abstract class PipelineRun {
  private final OutputFolder folder;
  private final RunLog log;
  private final List<String> notices;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  /**
   * Creates a pipeline run that has not begun; {@code folder} and {@code log} are closed when it
   * ends.
   */
  protected PipelineRun(OutputFolder folder, RunLog log, List<String> notices) {
    this.folder = folder;
    this.log = log;
    this.notices = List.copyOf(notices);
  }

  /** The pipeline that a run executes. */
  public interface Work {
    /**
     * Runs the pipeline to its end.
     *
     * @throws Exception whatever ended it early
     */
    Outcome perform() throws Exception;
  }

  /** Starts {@code work} on a thread called {@code name}; the notices are logged before. */
  public final void start(String name, Work work) {
    notices.forEach(log::line);
    Thread.ofPlatform().name(name).start(new OneShotTask(() -> run(work)));
  }

  private void run(Work work) {
    Outcome result = null;
    Throwable failure = null;
    try {
      result = work.perform();
      log.line("ended after step " + result.steps());
    } catch (UserException e) {
      failure = e;
      log.line("refused: " + e.getMessage());
      if (e instanceof PluginException plugin) {
        log.line(plugin.stack());
      }
    } catch (RunFailure | RanksLostException e) {
      failure = e;
      log.line("failed: " + e.getMessage());
    } catch (Throwable e) {
      failure = e;
      log.failure("failed", e);
    }
    folder.end(log);
    ended(result, failure);
    if (result != null) {
      outcome.complete(result);
    } else if (failure != null) {
      outcome.completeExceptionally(failure);
    }
  }

  /**
   * Handles the end of the run before {@link #outcome} completes: one of the two arguments is null.
   */
  protected void ended(@Nullable Outcome result, @Nullable Throwable failure) {}

  /** Returns the notices of the run for the user. */
  public List<String> notices() {
    return notices;
  }

  /** The output folder of the run. */
  public Path folder() {
    return folder.path();
  }

  /** Returns the outcome of the run; completes exceptionally if the run failed. */
  public CompletableFuture<Outcome> outcome() {
    return outcome.copy();
  }
}
