package roll.shell;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.command.Interrupts;
import roll.api.config.ConfigLoader;
import roll.api.config.LoadedConfig;
import roll.api.config.UserException;
import roll.api.pipeline.Trainer;
import roll.api.pipeline.TrainingRun;
import roll.api.pipeline.TrainingRun.Outcome;
import roll.shell.Syntax.Option;

/** {@code train}: a whole training run, from its configuration to the last checkpoint. */
@Component(name = "roll.shell.train", service = TrainCommand.class)
@RollCommand(function = "train", description = TrainCommand.SUMMARY)
public final class TrainCommand {
  static final String SUMMARY = "Trains as a configuration says; Ctrl-C saves and ends.";
  private static final int INTERRUPTED = 130;
  private static final String CONSOLE = "console";
  private static final String BACKGROUND = "--background";
  private static final Syntax SYNTAX =
      new Syntax(
          "train",
          SUMMARY,
          ConfigFile.OR_KEYS,
          List.of(
              Option.flag(
                  BACKGROUND,
                  "returns at once and prints no steps, as `train … &` does; see `runs`")));

  private final ConfigLoader loader;
  private final Trainer trainer;
  private final Interrupts interrupts;

  /** A command on these services; without {@code interrupts} the shell's Ctrl-C is its own. */
  @Activate
  public TrainCommand(
      @Reference ConfigLoader loader,
      @Reference Trainer trainer,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Interrupts interrupts) {
    this.loader = loader;
    this.trainer = trainer;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * Starts the run and waits for its end; the first interrupt asks it to save and stop. In the
   * background nobody waits: the shell goes on, and the run ends when the system does.
   */
  @Descriptor(SUMMARY)
  public @Nullable String train(
      CommandSession session, @Descriptor(ConfigFile.ARGUMENTS) String... arguments) {
    return Background.<@Nullable String>telling(session, () -> run(session, arguments));
  }

  private @Nullable String run(CommandSession session, String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    PrintStream out = session.getConsole();
    boolean background = given.flag(BACKGROUND) || Background.here();
    LoadedConfig config = load(session, given, background);
    config.notices().forEach(notice -> out.println("notice: " + notice));
    out.println(ConfigFile.numbers(config, ""));
    if (background) {
      TrainingRun run = trainer.start(config);
      run.notices().forEach(notice -> out.println("notice: " + notice));
      out.println("run " + run.number() + " writes to " + run.folder());
      return null;
    }
    try (Interrupts.Watch _ = interrupts.watch()) {
      TrainingRun run = trainer.start(config);
      run.notices().forEach(notice -> out.println("notice: " + notice));
      out.println("writing to " + run.folder());
      end(session, given, run, await(run, out));
    }
    return null;
  }

  /** In the background nothing is printed: the console belongs to whoever types. */
  private LoadedConfig load(CommandSession session, Arguments given, boolean background) {
    Path file = ConfigFile.of(session, given);
    List<String> keys = ConfigFile.overrides(session, given);
    LoadedConfig config = loader.load(file, keys);
    if (!background || !config.run().trackers().contains(CONSOLE)) {
      return config;
    }
    List<String> silent = new ArrayList<>(config.run().trackers());
    silent.remove(CONSOLE);
    List<String> overrides = new ArrayList<>(keys);
    overrides.add("track_with=" + silent);
    return loader.load(file, overrides);
  }

  /** Says how the run ended. */
  private static void end(
      CommandSession session, Arguments given, TrainingRun run, Outcome outcome) {
    PrintStream out = session.getConsole();
    if (outcome.interrupted()) {
      session.put("exit", INTERRUPTED);
      out.println("stopped after " + steps(outcome) + ", saved in " + run.folder());
      out.println("to continue: ./roll train " + ConfigFile.again(given.words()));
    } else {
      out.println("finished " + steps(outcome) + score(outcome) + ", in " + run.folder());
    }
  }

  private static Outcome await(TrainingRun run, PrintStream out) {
    CompletableFuture<Outcome> outcome = run.outcome();
    while (true) {
      try {
        return outcome.get();
      } catch (InterruptedException e) {
        out.println();
        out.println("the step under way ends, then the run is saved");
        run.stop();
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case UserException mistake -> throw mistake;
          case RuntimeException failure -> throw failure;
          case Error failure -> throw failure;
          case null, default -> throw new IllegalStateException("the run failed", e.getCause());
        }
      }
    }
  }

  private static String steps(Outcome outcome) {
    return outcome.steps() == 1 ? "1 step" : outcome.steps() + " steps";
  }

  private static String score(Outcome outcome) {
    for (String name : List.of("val/score/mean", "rollout/score/mean")) {
      Double score = outcome.lastMetrics().get(name);
      if (score != null) {
        return String.format(java.util.Locale.ROOT, ", %s %.3f", name, score);
      }
    }
    return "";
  }
}
