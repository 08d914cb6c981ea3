package roll.core.run;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.rank.RanksLostException;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.report.PipelineThread;
import roll.core.report.RunProgress;
import roll.core.swap.ConfigSwapper;
import roll.core.swap.RunControl;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/** A run on a thread of its own. */
final class Run implements TrainingRun {
  private final int number;
  private final String name;
  private final OutputFolder folder;
  private final RunLog log;
  private final RunControl control;
  private final RunProgress progress;
  private final ConfigSwapper swapper;
  private final List<String> notices;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  /**
   * A run that is not yet begun.
   *
   * @param number among the runs of this system
   * @param name of the experiment
   * @param swapper makes other configurations of its own
   */
  Run(
      int number,
      String name,
      OutputFolder folder,
      RunLog log,
      RunControl control,
      RunProgress progress,
      ConfigSwapper swapper,
      List<String> notices) {
    this.number = number;
    this.name = name;
    this.folder = folder;
    this.log = log;
    this.control = control;
    this.progress = progress;
    this.swapper = swapper;
    this.notices = notices;
  }

  /** Starts {@code pipeline}; the folder and the log are closed when it ends. */
  void start(Pipeline pipeline) {
    new PipelineThread(folder, log)
        .start("roll-run-" + number, notices, pipeline::perform, this::ended);
  }

  private void ended(@Nullable Outcome result, @Nullable Throwable failure) {
    if (result != null) {
      progress.ended(result.interrupted() ? State.STOPPED : State.FINISHED, null);
      outcome.complete(result);
    } else if (failure != null) {
      boolean mistake =
          failure instanceof UserException
              || failure instanceof RunFailure
              || failure instanceof RanksLostException;
      progress.ended(State.FAILED, mistake ? failure.getMessage() : failure.toString());
      outcome.completeExceptionally(failure);
    }
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public String name() {
    return name;
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
  public RunStatus status() {
    RunStatus status = progress.status();
    return status.state() == State.RUNNING && control.stopped()
        ? status.in(State.STOPPING)
        : status;
  }

  @Override
  public void pause() {
    control.pause(true);
  }

  @Override
  public void resume() {
    control.pause(false);
  }

  @Override
  public void stop() {
    control.stop();
  }

  @Override
  public List<String> swap(String kind, String from, String to, List<String> overrides) {
    if (!progress.status().state().active()) {
      throw new UserException("run " + number + " has ended");
    }
    return swapper.swap(control, kind, from, to, overrides);
  }

  @Override
  public CompletableFuture<Outcome> outcome() {
    return outcome.copy();
  }
}
