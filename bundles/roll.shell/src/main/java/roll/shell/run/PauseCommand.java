package roll.shell.run;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.RunActions;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;

/** {@code pause}: has a run wait. */
@Component(name = "roll.shell.pause", service = Command.class)
@RollCommand(function = "pause")
public final class PauseCommand extends Command {
  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "pause",
          "Pauses a run between two steps until it is resumed.",
          List.of(RunList.WORD),
          List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public PauseCommand(@Reference Trainer trainer) {
    super(SYNTAX);
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    TrainingRun run = runs.find(given.optional(0));
    return RunActions.pause(run) + "; resume it with `resume " + run.number() + "`";
  }
}
