package roll.shell.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.syntax.UserPath;

/** {@code runs}: lists training runs with their state. */
@Component(name = "roll.shell.runs", service = Command.class)
@RollCommand(function = "runs")
public final class RunsCommand extends Command {
  /** Default output folder of runs. */
  private static final String OUTPUT = "output";

  /** Arguments and options of the command {@code runs}. */
  static final Syntax SYNTAX =
      new Syntax(
          "runs",
          "Lists the training runs of this system and the run folders in ./output, or shows one"
              + " run.",
          List.of(RunList.WORD),
          List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public RunsCommand(@Reference Trainer trainer) {
    super(SYNTAX);
    this.runs = new RunList(trainer);
  }

  /** Returns a line per run, those of this system first, or the description of one. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    if (given.optional(0) != null) {
      return RunReport.of(runs.find(given.optional(0)));
    }
    List<TrainingRun> all = runs.trainer().runs();
    Set<Path> here =
        all.stream()
            .map(run -> run.folder().toAbsolutePath().normalize())
            .collect(Collectors.toSet());
    String written = OutputRuns.list(UserPath.of(session, OUTPUT), here);
    if (all.isEmpty()) {
      return written.isEmpty() ? "no runs yet" : written;
    }
    return RunReport.list(all) + (written.isEmpty() ? "" : "\n\n" + written);
  }
}
