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

/** {@code stop}: ends a run in order. */
@Component(name = "roll.shell.stop", service = Command.class)
@RollCommand(function = "stop")
public final class StopCommand extends Command {
  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "stop",
          "Ends a run after the current step and saves its state.",
          List.of(RunList.WORD),
          List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public StopCommand(@Reference Trainer trainer) {
    super(SYNTAX);
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    return RunActions.stop(runs.find(given.optional(0)));
  }
}
