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

/** {@code resume}: lets a paused run continue. */
@Component(name = "roll.shell.resume", service = ResumeCommand.class)
@RollCommand(function = "resume", description = ResumeCommand.SUMMARY)
public final class ResumeCommand {
  static final String SUMMARY = "Continues a paused run.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax("resume", SUMMARY, List.of(RunList.WORD), List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public ResumeCommand(@Reference Trainer trainer) {
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Descriptor(SUMMARY)
  public String resume(CommandSession session, @Descriptor("[run]") String... arguments) {
    return runs.order(SYNTAX, arguments, RunOrders::resume);
  }
}
