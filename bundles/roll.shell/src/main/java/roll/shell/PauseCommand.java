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

/** {@code pause}: has a run wait. */
@Component(name = "roll.shell.pause", service = PauseCommand.class)
@RollCommand(function = "pause", description = PauseCommand.SUMMARY)
public final class PauseCommand {
  static final String SUMMARY = "Has a run wait between two steps until it is resumed.";
  static final Syntax SYNTAX = new Syntax("pause", SUMMARY, List.of(RunList.WORD), List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public PauseCommand(@Reference Trainer trainer) {
    this.runs = new RunList(trainer);
  }

  /** Asks the run, and does not wait. */
  @Descriptor(SUMMARY)
  public String pause(CommandSession session, @Descriptor("[run]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    TrainingRun run = runs.find(given.optional(0));
    if (!run.status().state().active()) {
      throw new UserException("run " + run.number() + " has ended");
    }
    run.pause();
    return "run "
        + run.number()
        + " waits when the step under way has ended; resume it with `resume "
        + run.number()
        + "`";
  }
}
