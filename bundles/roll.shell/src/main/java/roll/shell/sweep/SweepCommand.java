package roll.shell.sweep;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.command.Interrupts;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.sweep.SweepRequest;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweepRun;
import roll.runtime.sweep.Sweeper;
import roll.runtime.sweep.SweptRun;
import roll.runtime.sweep.SweptRun.State;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.run.ConfigFile;
import roll.shell.run.NoticeList;
import roll.shell.syntax.FutureResults;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;

/** {@code sweep}: trains a configuration for every combination of values. */
@Component(name = "roll.shell.sweep", service = Command.class)
@RollCommand(function = "sweep")
public final class SweepCommand extends Command {
  private static final String SHOW = "show";
  private static final String JOBS = "--jobs";
  private static final String SFT = "--sft";
  private static final String METRIC = "--metric";
  private static final String JSON = "--json";

  /** Arguments and options of the command {@code sweep}. */
  static final Syntax SYNTAX =
      new Syntax(
          "sweep",
          "Trains for every combination of values; prints a table and plots the curves.",
          List.of(
              Word.one("config.yaml", "the training configuration; or: show <sweep folder>"),
              Word.any(
                  "key=value",
                  "key=[a,b] runs each value, for example seed=[1,2,3]; key=value is set in all"
                      + " runs, key=[[a,b]] to a list")),
          List.of(
              Option.one(
                  JOBS, "n", "1", "number of concurrent runs; limited by devices and memory"),
              Option.flag(SFT, "run `sft` instead of `train`"),
              Option.optional(
                  METRIC,
                  "name",
                  "metric to compare (default: success, else mean score, else loss)"),
              Option.flag(JSON, "print results and curves as one line of JSON")));

  private final @Nullable Sweeper sweeper;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public SweepCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Sweeper sweeper,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.sweeper = sweeper;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * Starts the unfinished runs and waits for them; the first interrupt asks all to save and stop.
   */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    Sweeper service = RequiredService.of(sweeper, "sweep", "roll.sweep");
    PrintStream out = session.getConsole();
    if (given.word(0).equals(SHOW)) {
      if (given.words().size() != 2 || given.flag(JOBS) || given.flag(SFT)) {
        throw SYNTAX.wrong("show takes a sweep folder, --metric and --json");
      }
      print(service.show(UserPath.of(session, given.word(1)), given.optional(METRIC)), given, out);
      return null;
    }
    SweepRequest order =
        new SweepRequest(
            UserPath.of(session, given.word(0)),
            ConfigFile.keys(given, 1),
            given.flag(SFT),
            given.integer(JOBS),
            given.optional(METRIC));
    Consumer<String> lines = given.flag(JSON) ? line -> {} : out::println;
    try (Interrupts.Watch _ = interrupts.watch()) {
      SweepRun run = service.start(order, lines);
      run.notices().forEach(notice -> lines.accept(NoticeList.line(notice)));
      lines.accept("writing to " + run.folder());
      end(session, await(run, lines), given, out);
    }
    return null;
  }

  private static SweepResult await(SweepRun run, Consumer<String> lines) {
    return FutureResults.of(
        run.outcome(),
        () -> {
          lines.accept("finishing the current steps, then the runs are saved");
          run.stop();
        });
  }

  private static void end(
      CommandSession session, SweepResult result, Arguments given, PrintStream out) {
    print(result, given, out);
    long failed = count(result, State.FAILED);
    long open = result.runs().size() - failed - count(result, State.FINISHED);
    if (open > 0) {
      session.put("exit", INTERRUPTED);
      if (!given.flag(JSON)) {
        out.println(open + " runs are not finished: repeat the command to continue them");
      }
    }
    if (failed > 0) {
      throw new RunFailure(
          "%d of %d runs failed: repeat the command to retry them"
              .formatted(failed, result.runs().size()));
    }
  }

  private static long count(SweepResult result, State state) {
    return result.runs().stream().map(SweptRun::state).filter(state::equals).count();
  }

  private static void print(SweepResult result, Arguments given, PrintStream out) {
    out.println(given.flag(JSON) ? Json.whole(result) : "\n" + SweepReport.of(result));
  }
}
