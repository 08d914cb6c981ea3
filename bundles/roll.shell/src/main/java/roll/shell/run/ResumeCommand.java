package roll.shell.run;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.RunActions;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;

/** {@code resume}: lets a paused run continue. */
@Component(name = "roll.shell.resume", service = Command.class)
@RollCommand(function = "resume")
public final class ResumeCommand extends Command {
  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax("resume", "Continues a paused run.", List.of(RunList.WORD), List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public ResumeCommand(@Reference Trainer trainer) {
    super(SYNTAX);
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    return RunActions.resume(runs.find(given.optional(0)));
  }
}
