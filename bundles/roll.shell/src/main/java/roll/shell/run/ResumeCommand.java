package roll.shell.run;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.RunActions;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;

/** {@code resume}: continues a paused run. */
@Component(name = "roll.shell.resume", service = Command.class)
@RollCommand(function = "resume")
public final class ResumeCommand extends RunCommandBase {
  /** A command on the runs of {@code trainer}. */
  @Activate
  public ResumeCommand(@Reference Trainer trainer) {
    super("resume", "Continues a paused run.", trainer, RunActions::resume);
  }
}
