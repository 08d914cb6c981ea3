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

/** {@code runs}: the training runs of this system and what each is doing. */
@Component(name = "roll.shell.runs", service = Command.class)
@RollCommand(function = "runs")
public final class RunsCommand extends Command {
  /** Where runs write unless they are told otherwise. */
  private static final String OUTPUT = "output";

  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "runs",
          "Lists the training runs of this system and those in ./output, or shows one.",
          List.of(RunList.WORD),
          List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public RunsCommand(@Reference Trainer trainer) {
    super(SYNTAX);
    this.runs = new RunList(trainer);
  }

  /** A line per run, those of this system first, or all of one. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    if (given.optional(0) != null) {
      return RunPage.of(runs.find(given.optional(0)));
    }
    List<TrainingRun> all = runs.trainer().runs();
    Set<Path> here =
        all.stream()
            .map(run -> run.folder().toAbsolutePath().normalize())
            .collect(Collectors.toSet());
    String written = WrittenRuns.list(UserPath.of(session, OUTPUT), here);
    if (all.isEmpty()) {
      return written.isEmpty() ? "no runs yet" : written;
    }
    return RunPage.list(all) + (written.isEmpty() ? "" : "\n\n" + written);
  }
}
