package roll.shell.run;

import java.util.List;
import java.util.function.Function;
import org.apache.felix.service.command.CommandSession;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.Syntax;

/** A command that gives one order to a run and does not wait for its effect. */
abstract class RunCommandBase extends Command {
  private final RunList runs;
  private final Function<TrainingRun, String> order;

  /**
   * A command on the runs of {@code trainer}.
   *
   * @param order gives the order; returns the line that is printed
   */
  RunCommandBase(
      String name, String summary, Trainer trainer, Function<TrainingRun, String> order) {
    super(new Syntax(name, summary, List.of(RunList.WORD), List.of()));
    this.runs = new RunList(trainer);
    this.order = order;
  }

  @Override
  protected final String run(CommandSession session, Arguments given) {
    return order.apply(runs.find(given.optional(0)));
  }
}
