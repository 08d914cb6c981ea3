package roll.shell.run;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.RunActions;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;

/** {@code stop}: ends a run after the current step. */
@Component(name = "roll.shell.stop", service = Command.class)
@RollCommand(function = "stop")
public final class StopCommand extends RunCommandBase {
  /** A command on the runs of {@code trainer}. */
  @Activate
  public StopCommand(@Reference Trainer trainer) {
    super(
        "stop",
        "Ends a run after the current step and saves its state.",
        trainer,
        RunActions::stop);
  }
}
