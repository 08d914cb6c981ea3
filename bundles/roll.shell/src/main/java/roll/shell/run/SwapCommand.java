package roll.shell.run;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
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
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.KindNames;

/** {@code swap}: replaces a plugin of a run without stopping it. */
@Component(name = "roll.shell.swap", service = Command.class)
@RollCommand(function = "swap")
public final class SwapCommand extends Command {
  private static final String RUN = "--run";

  /** Arguments and options of the command {@code swap}. */
  static final Syntax SYNTAX =
      new Syntax(
          "swap",
          "Replaces a plugin of an active run from the next step on.",
          List.of(
              Word.one(
                  "kind",
                  String.join(", ", KindNames.swapped(List.of()).keySet())
                      + ", or a kind of your own"),
              Word.one("from", "id in the run's configuration"),
              Word.one("to", "id of the replacement, as listed by `services`"),
              Word.any(
                  "key=value", "further keys to change, for example options of the replacement")),
          List.of(Option.optional(RUN, "n", "run number, if several are active")));

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public SwapCommand(@Reference Trainer trainer) {
    super(SYNTAX);
    this.runs = new RunList(trainer);
  }

  /** Checks and orders the replacement, which takes effect after the current step. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    TrainingRun run = runs.find(given.optional(RUN));
    RunActions.Swapped swapped =
        RunActions.swap(run, given.word(0), given.word(1), given.word(2), given.from(3));
    swapped.notices().forEach(notice -> session.getConsole().println(NoticeList.line(notice)));
    return swapped.line();
  }
}
