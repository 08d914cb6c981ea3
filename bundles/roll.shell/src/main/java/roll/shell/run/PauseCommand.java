package roll.shell.run;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.RunOrders;
import roll.runtime.pipeline.Trainer;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;

/** {@code pause}: has a run wait. */
@Component(name = "roll.shell.pause", service = PauseCommand.class)
@RollCommand(function = "pause", description = PauseCommand.SUMMARY)
public final class PauseCommand {
  static final String SUMMARY = "Pauses a run between two steps until it is resumed.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax("pause", SUMMARY, List.of(RunList.WORD), List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public PauseCommand(@Reference Trainer trainer) {
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Descriptor(SUMMARY)
  public String pause(CommandSession session, @Descriptor("[run]") String... arguments) {
    return runs.order(
        SYNTAX,
        arguments,
        run -> RunOrders.pause(run) + "; resume it with `resume " + run.number() + "`");
  }
}
