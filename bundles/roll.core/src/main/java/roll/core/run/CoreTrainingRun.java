package roll.core.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.rank.RanksLostException;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.report.PipelineRun;
import roll.core.report.RunProgress;
import roll.core.swap.ConfigSwapper;
import roll.core.swap.RunControl;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/** A training run on a thread of its own. */
final class CoreTrainingRun extends PipelineRun implements TrainingRun {
  private final int number;
  private final String name;
  private final RunControl control;
  private final RunProgress progress;
  private final ConfigSwapper swapper;

  /**
   * A run that is not yet begun.
   *
   * @param number among the runs of this system
   * @param name of the experiment
   * @param swapper makes other configurations of its own
   */
  CoreTrainingRun(
      int number,
      String name,
      OutputFolder folder,
      RunLog log,
      RunControl control,
      RunProgress progress,
      ConfigSwapper swapper,
      List<String> notices) {
    super(folder, log, notices);
    this.number = number;
    this.name = name;
    this.control = control;
    this.progress = progress;
    this.swapper = swapper;
  }

  @Override
  protected void ended(@Nullable Outcome result, @Nullable Throwable failure) {
    if (result != null) {
      progress.ended(result.interrupted() ? State.STOPPED : State.FINISHED, null);
    } else if (failure != null) {
      boolean mistake =
          failure instanceof UserException
              || failure instanceof RunFailure
              || failure instanceof RanksLostException;
      progress.ended(State.FAILED, mistake ? failure.getMessage() : failure.toString());
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
}
