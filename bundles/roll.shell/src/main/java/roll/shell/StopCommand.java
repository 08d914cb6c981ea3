package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** {@code stop}: ends a run in order. */
@Component(name = "roll.shell.stop", service = StopCommand.class)
@RollCommand(function = "stop", description = StopCommand.SUMMARY)
public final class StopCommand {
  static final String SUMMARY = "Ends a run after the step under way; its state is saved.";
  static final Syntax SYNTAX = new Syntax("stop", SUMMARY, List.of(RunList.WORD), List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public StopCommand(@Reference Trainer trainer) {
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Descriptor(SUMMARY)
  public String stop(CommandSession session, @Descriptor("[run]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    TrainingRun run = runs.find(given.optional(0));
    if (!run.status().state().active()) {
      throw new UserException("run " + run.number() + " has ended");
    }
    run.stop();
    return "run "
        + run.number()
        + " ends when the step under way has ended, saved in "
        + run.folder();
  }
}
