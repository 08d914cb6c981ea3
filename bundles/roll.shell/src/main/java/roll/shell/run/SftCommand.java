package roll.shell.run;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.command.Interrupts;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.SftRunner;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.syntax.UserPath;

/** {@code sft}: supervised fine-tuning before reinforcement learning. */
@Component(name = "roll.shell.sft", service = Command.class)
@RollCommand(function = "sft")
public final class SftCommand extends ConfigCommand {
  /** Arguments and options of the command {@code sft}. */
  static final Syntax SYNTAX =
      new Syntax(
          "sft",
          "Fine-tunes on demonstrations (section sft); Ctrl-C saves and stops.",
          ConfigFile.WORDS,
          List.of());

  private final SftRunner runner;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public SftCommand(
      @Reference SftRunner runner,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.runner = runner;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Starts the run and waits for its end; the first interrupt asks it to save and stop. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    PrintStream out = session.getConsole();
    try (Interrupts.Watch _ = interrupts.watch()) {
      SftRun run = runner.start(UserPath.of(session, given.word(0)), ConfigFile.keys(given, 1));
      run.notices().forEach(notice -> out.println(NoticeList.line(notice)));
      out.println("writing to " + run.folder());
      end(
          session,
          given,
          run,
          Foreground.await(run.outcome(), run::stop, "the model is saved", out));
    }
    return null;
  }

  private static void end(CommandSession session, Arguments given, SftRun run, Outcome outcome) {
    PrintStream out = session.getConsole();
    if (outcome.interrupted()) {
      Foreground.stopped(session, "sft", given, run.folder(), outcome);
    } else {
      String loss = Foreground.last(outcome, "%.4f", "sft/val_loss", "sft/loss");
      out.println("finished " + Foreground.steps(outcome) + loss + ", in " + run.folder());
      out.println(
          "to use the model: pretrain=" + run.folder().resolve("checkpoint-" + outcome.steps()));
    }
  }
}
