package roll.core.report;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.plugin.Errand;
import roll.api.rank.RanksLostException;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.plugin.PluginException;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.TrainingRun.Outcome;

/**
 * Runs a pipeline on a thread of its own; the log says how it ended, and then log and output folder
 * are closed.
 */
public record PipelineThread(OutputFolder folder, RunLog log) {
  /** A pipeline. */
  public interface Work {
    /**
     * Runs to the end.
     *
     * @throws Exception whatever ended it early
     */
    Outcome perform() throws Exception;
  }

  /**
   * Starts {@code work}.
   *
   * @param name of the thread
   * @param notices are logged before
   * @param ended is given the outcome, or null and what ended the work early
   */
  public void start(
      String name,
      List<String> notices,
      Work work,
      BiConsumer<@Nullable Outcome, @Nullable Throwable> ended) {
    notices.forEach(log::line);
    Thread.ofPlatform().name(name).start(new Errand(() -> run(work, ended)));
  }

  private void run(Work work, BiConsumer<@Nullable Outcome, @Nullable Throwable> ended) {
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
    ended.accept(result, failure);
  }
}
