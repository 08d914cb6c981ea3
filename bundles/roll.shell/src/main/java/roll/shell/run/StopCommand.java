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

/** {@code stop}: ends a run in order. */
@Component(name = "roll.shell.stop", service = StopCommand.class)
@RollCommand(function = "stop", description = StopCommand.SUMMARY)
public final class StopCommand {
  static final String SUMMARY = "Ends a run after the current step and saves its state.";

  /** How it is called. */
  public static final Syntax SYNTAX = new Syntax("stop", SUMMARY, List.of(RunList.WORD), List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public StopCommand(@Reference Trainer trainer) {
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Descriptor(SUMMARY)
  public String stop(CommandSession session, @Descriptor("[run]") String... arguments) {
    return runs.order(SYNTAX, arguments, RunOrders::stop);
  }
}
