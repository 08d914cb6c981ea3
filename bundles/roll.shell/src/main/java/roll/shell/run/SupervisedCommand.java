package roll.shell.run;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.runtime.command.Interrupts;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax;
import roll.shell.syntax.UserPath;

/** A command of supervised training. */
abstract class SupervisedCommand extends ConfigCommand {
  private final String name;
  private final BiFunction<Path, List<String>, SftRun> starter;
  private final Interrupts interrupts;

  /**
   * Creates the command {@code name}; without {@code interrupts} Ctrl-C is left to the shell.
   *
   * @param starter starts a run of a file with overrides
   */
  SupervisedCommand(
      String name,
      String summary,
      BiFunction<Path, List<String>, SftRun> starter,
      @Nullable Interrupts interrupts) {
    super(new Syntax(name, summary, ConfigFile.WORDS, List.of()));
    this.name = name;
    this.starter = starter;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Starts the run and waits for its end; the first interrupt asks it to save and stop. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    PrintStream out = session.getConsole();
    try (Interrupts.Watch _ = interrupts.watch()) {
      SftRun run = starter.apply(UserPath.of(session, given.word(0)), ConfigFile.keys(given, 1));
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

  private void end(CommandSession session, Arguments given, SftRun run, Outcome outcome) {
    PrintStream out = session.getConsole();
    if (outcome.interrupted()) {
      Foreground.stopped(session, name, given, run.folder(), outcome);
    } else {
      String loss = Foreground.last(outcome, "%.4f", "sft/val_loss", "sft/loss");
      out.println("finished " + Foreground.steps(outcome) + loss + ", in " + run.folder());
      out.println(
          "to use the model: pretrain=" + run.folder().resolve("checkpoint-" + outcome.steps()));
    }
  }
}
