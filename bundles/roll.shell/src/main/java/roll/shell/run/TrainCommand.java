package roll.shell.run;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceInspector;
import roll.api.rank.RanksLostException;
import roll.runtime.command.Interrupts;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.nodes.Nodes;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.shell.command.Arguments;
import roll.shell.command.Background;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.http.CloseStack;
import roll.shell.page.LivePageOption;
import roll.shell.page.OpenPages;

/** {@code train}: runs training from a configuration to the last checkpoint. */
@Component(name = "roll.shell.train", service = Command.class)
@RollCommand(function = "train")
public final class TrainCommand extends ConfigCommand {
  private static final String CONSOLE = "console";

  /** Arguments and options of the command {@code train}. */
  static final Syntax SYNTAX =
      new Syntax(
          "train",
          "Trains a configuration; Ctrl-C saves and stops.",
          ConfigFile.OR_KEYS,
          options());

  private static List<Option> options() {
    List<Option> options = new ArrayList<>(ClusterListener.OPTIONS);
    options.addAll(LivePageOption.OPTIONS);
    options.add(
        Option.flag(
            Background.OPTION,
            "return immediately and print no steps, as `train … &` does; see `runs`"));
    return List.copyOf(options);
  }

  private final ConfigLoader loader;
  private final Trainer trainer;
  private final OpenPages pages;
  private final @Nullable Nodes nodes;
  private final @Nullable DeviceInspector devices;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public TrainCommand(
      @Reference ConfigLoader loader,
      @Reference Trainer trainer,
      @Reference OpenPages pages,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Nodes nodes,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable DeviceInspector devices,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.loader = loader;
    this.trainer = trainer;
    this.pages = pages;
    this.nodes = nodes;
    this.devices = devices;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * Starts the run and waits for its end; the first interrupt asks it to save and stop. In the
   * background it returns at once, and the run ends at the latest with the process.
   */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    PrintStream out = session.getConsole();
    boolean background = Background.asked("train", session, given);
    LoadedConfig config = load(session, given, background, List.of());
    trainer.requireStart(config); // before anything is printed, and not when all nodes have joined
    NoticeList.of(config).print(out);
    out.println(ConfigFile.numbers(config, null, ""));
    if (background) {
      return inBackground(given, config, out);
    }
    try (Interrupts.Watch _ = interrupts.watch();
        LivePageOption _ = LivePageOption.open(pages, given, config.run().outputDir(), out);
        ClusterListener listening =
            ClusterListener.start(nodes, SYNTAX, given, config, devices, out)) {
      RankRecovery lost = new RankRecovery(listening, ClusterListener.patience(SYNTAX, given), out);
      LoadedConfig next = config;
      while (next != null) {
        LoadedConfig now = next;
        TrainingRun run = trainer.start(now);
        NoticeList.of(now, run.notices()).print(out);
        out.println("writing to " + run.folder());
        try {
          end(
              session,
              given,
              run,
              Foreground.await(run.outcome(), run::stop, "the run is saved", out));
          next = null;
        } catch (RanksLostException e) {
          next = lost.next(e, run, now, more -> load(session, given, false, more));
        }
      }
    } catch (InterruptedException e) {
      session.put("exit", INTERRUPTED);
      out.println("stopped while waiting for nodes");
    }
    return null;
  }

  private @Nullable String inBackground(Arguments given, LoadedConfig config, PrintStream out) {
    CloseStack open = new CloseStack();
    TrainingRun run;
    try {
      open.add(LivePageOption.open(pages, given, config.run().outputDir(), out)::close);
      open.add(ClusterListener.start(nodes, SYNTAX, given, config, devices, out)::close);
      run = trainer.start(config);
    } catch (InterruptedException e) {
      open.close();
      Thread.currentThread().interrupt();
      return "stopped before the first step";
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
    var unused = run.outcome().whenComplete((_, _) -> open.close());
    NoticeList.of(config, run.notices()).print(out);
    out.println("run " + run.number() + " writes to " + run.folder());
    if (Background.here()) { // the job lasts as long as the run
      Foreground.awaitInJob(run.outcome(), run::stop)
          .ifPresent(outcome -> out.println("run " + run.number() + ": " + ended(run, outcome)));
    }
    return null;
  }

  /** Loads the configuration; in the background without the tracker {@code console}. */
  private LoadedConfig load(
      CommandSession session, Arguments given, boolean background, List<String> more) {
    Path file = ConfigFile.of(session, given);
    List<String> keys = new ArrayList<>(ConfigFile.overrides(session, given));
    keys.addAll(more);
    LoadedConfig config = loader.load(file, keys);
    if (!background || !config.run().tracking().trackers().contains(CONSOLE)) {
      return config;
    }
    List<String> silent = new ArrayList<>(config.run().tracking().trackers());
    silent.remove(CONSOLE);
    List<String> overrides = new ArrayList<>(keys);
    overrides.add("track_with=" + silent);
    return loader.load(file, overrides);
  }

  private static void end(
      CommandSession session, Arguments given, TrainingRun run, Outcome outcome) {
    PrintStream out = session.getConsole();
    if (outcome.interrupted()) {
      Foreground.stopped(session, "train", given, run.folder(), outcome);
    } else {
      out.println(ended(run, outcome));
    }
  }

  private static String ended(TrainingRun run, Outcome outcome) {
    return (outcome.interrupted() ? "stopped after " : "finished ")
        + Foreground.steps(outcome)
        + score(outcome)
        + ", in "
        + run.folder();
  }

  private static String score(Outcome outcome) {
    return Foreground.last(outcome, "%.3f", "val/score/mean", "rollout/score/mean");
  }
}
