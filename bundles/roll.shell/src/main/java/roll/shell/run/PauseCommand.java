package roll.shell.run;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.RunActions;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;

/** {@code pause}: pauses a run between two steps. */
@Component(name = "roll.shell.pause", service = Command.class)
@RollCommand(function = "pause")
public final class PauseCommand extends RunCommandBase {
  /** A command on the runs of {@code trainer}. */
  @Activate
  public PauseCommand(@Reference Trainer trainer) {
    super(
        "pause",
        "Pauses a run between two steps until it is resumed.",
        trainer,
        run -> RunActions.pause(run) + "; resume it with `resume " + run.number() + "`");
  }
}
