package roll.shell.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.UserPath;

/** {@code runs}: the training runs of this system and what each is doing. */
@Component(name = "roll.shell.runs", service = RunsCommand.class)
@RollCommand(function = "runs", description = RunsCommand.SUMMARY)
public final class RunsCommand {
  static final String SUMMARY =
      "Lists the training runs of this system and those in ./output, or shows one.";

  /** Where runs write unless they are told otherwise. */
  private static final String OUTPUT = "output";

  /** How it is called. */
  public static final Syntax SYNTAX = new Syntax("runs", SUMMARY, List.of(RunList.WORD), List.of());

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public RunsCommand(@Reference Trainer trainer) {
    this.runs = new RunList(trainer);
  }

  /** A line per run, those of this system first, or all of one. */
  @Descriptor(SUMMARY)
  public String runs(CommandSession session, @Descriptor("[run]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
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
