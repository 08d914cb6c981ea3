package roll.shell.run;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.RunOrders;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.KindNames;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Option;
import roll.shell.syntax.Syntax.Word;

/** {@code swap}: replaces a plugin of a run while it continues. */
@Component(name = "roll.shell.swap", service = SwapCommand.class)
@RollCommand(function = "swap", description = SwapCommand.SUMMARY)
public final class SwapCommand {
  static final String SUMMARY = "Replaces a plugin of an active run from the next step on.";
  private static final String RUN = "--run";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "swap",
          SUMMARY,
          List.of(
              Word.one(
                  "kind",
                  String.join(", ", KindNames.swapped(List.of()).keySet())
                      + ", or a kind of your own"),
              Word.one("from", "its id in the run's configuration"),
              Word.one("to", "the id of what takes its place, as `services` shows it"),
              Word.any("key=value", "further keys to change, for example options of the new one")),
          List.of(Option.optional(RUN, "n", "which run, if several are active")));

  private final RunList runs;

  /** A command on the runs of {@code trainer}. */
  @Activate
  public SwapCommand(@Reference Trainer trainer) {
    this.runs = new RunList(trainer);
  }

  /** Checks the replacement and orders it; it happens when the step in progress has ended. */
  @Descriptor(SUMMARY)
  public @Nullable String swap(
      CommandSession session, @Descriptor("kind from to [key=value …]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    TrainingRun run = runs.find(given.optional(RUN));
    RunOrders.Swapped swapped =
        RunOrders.swap(run, given.word(0), given.word(1), given.word(2), given.from(3));
    swapped.notices().forEach(notice -> session.getConsole().println("notice: " + notice));
    return swapped.line();
  }
}
