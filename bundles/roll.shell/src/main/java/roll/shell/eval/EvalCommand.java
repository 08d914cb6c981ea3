package roll.shell.eval;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.command.Interrupts;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RolloutRun;
import roll.runtime.pipeline.RolloutRun.Outcome;
import roll.runtime.pipeline.RolloutRunner;
import roll.runtime.plugin.PluginRegistry;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.run.ConfigCommand;
import roll.shell.run.ConfigFile;
import roll.shell.run.NoticeList;
import roll.shell.syntax.FutureResults;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;

/** {@code eval}: measures the success of a model on the validation tasks of a configuration. */
@Component(name = "roll.shell.eval", service = Command.class)
@RollCommand(function = "eval")
public final class EvalCommand extends ConfigCommand {
  private static final String SAMPLES = "--samples";
  private static final String K = "--k";
  private static final String REGRADE = "--regrade";
  private static final String COMPARE = "--compare";
  private static final String JSON = "--json";
  private static final String MANAGER = "val_env_manager.";
  private static final int MOST_SAMPLES = 10_000;

  /** Arguments and options of the command {@code eval}. */
  static final Syntax SYNTAX =
      new Syntax(
          "eval",
          "Measures the success of a model, pretrain=<folder>, on the validation tasks.",
          ConfigFile.WORDS,
          List.of(
              Option.optional(SAMPLES, "n", "samples per task (default " + MANAGER + "group_size)"),
              Option.optional(K, "k,…", "print pass@k for 1,4,8 (default 1 and all samples)"),
              Option.optional(
                  Syntax.OUTPUT,
                  "folder",
                  "new folder of the results (default: the run's output folder with -eval)"),
              Option.optional(
                  REGRADE, "folder", "grade the responses of these results again, without a model"),
              Option.optional(
                  COMPARE, "folder", "compare with these results on the same tasks, paired"),
              Option.flag(JSON, "print the figures as one line of JSON")));

  private final ConfigLoader loader;
  private final RolloutRunner runner;
  private final @Nullable PluginRegistry plugins;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public EvalCommand(
      @Reference ConfigLoader loader,
      @Reference RolloutRunner runner,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable PluginRegistry plugins,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.loader = loader;
    this.runner = runner;
    this.plugins = plugins;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Plays the tasks or grades stored responses, then writes and prints the report. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws IOException, InterruptedException {
    // standard output has only the JSON
    PrintStream out = given.flag(JSON) ? System.err : session.getConsole();
    String compared = given.optional(COMPARE);
    EvalResults others = compared == null ? null : EvalResults.read(UserPath.of(session, compared));
    String stored = given.optional(REGRADE);
    Map<String, Object> settings = new LinkedHashMap<>();
    Path folder =
        stored == null
            ? played(session, given, settings, out)
            : regraded(session, given, UserPath.of(session, stored), settings);
    if (folder == null) {
      session.put("exit", INTERRUPTED);
      return null;
    }
    EvalResults results = EvalResults.read(folder);
    EvalReport report = EvalReport.of(settings, results, ks(given, results.samples()));
    out.println(report.text());
    save(folder, report);
    if (others != null) {
      EvalComparison comparison = EvalComparison.of(results, others);
      report = report.with(comparison);
      out.println(EvalReport.text(comparison));
      save(folder, report);
    }
    out.println("saved in " + folder);
    return given.flag(JSON) ? report.json() : null;
  }

  private static void save(Path folder, EvalReport report) throws IOException {
    Files.writeString(folder.resolve("eval.json"), report.json() + "\n");
  }

  /** Plays the tasks and returns the folder of the results; null if that was interrupted. */
  private @Nullable Path played(
      CommandSession session, Arguments given, Map<String, Object> settings, PrintStream out) {
    LoadedConfig written = load(session, given, List.of());
    NoticeList.of(written).print(out);
    RunConfig run = written.run();
    EnvManagerConfig envs = run.rollout().valEnvs();
    int tasks = run.schedule().validation().batchSize() / envs.groupSize();
    if (tasks < 1) {
      throw new UserException(
          "eval: val_batch_size: expected at least group_size = %d, found %d (val_before_train=true counts the rows of val_files for -1)"
              .formatted(envs.groupSize(), run.schedule().validation().batchSize()));
    }
    int samples =
        given.flag(SAMPLES) ? (int) given.integer(SAMPLES, 1, MOST_SAMPLES) : envs.groupSize();
    var unused = ks(given, samples);
    if (samples > 1 && envs.proxy().isPolicy() && envs.sampling().temperature() == 0) {
      throw new UserException(
          "eval: %d samples per task at temperature 0 are equal: set %sgenerating_args.temperature"
              .formatted(samples, MANAGER));
    }
    Path folder = output(session, given, run.outputDir(), "-eval");
    // with the same groups the tasks are the same for any number of samples
    List<String> sampled =
        List.of(MANAGER + "group_size=" + samples, MANAGER + "num_env_groups=" + envs.groups());
    LoadedConfig config = samples == envs.groupSize() ? written : load(session, given, sampled);
    settings.put("config", config.file().toString());
    settings.put("player", envs.proxy().type());
    settings.put("model", run.roles().actorInfer().model().folder().toString());
    settings.put("seed", run.seed());
    settings.put("sampling", envs.sampling());
    return play(config.into(folder), Math.multiplyExact(tasks, samples), out) ? folder : null;
  }

  private LoadedConfig load(CommandSession session, Arguments given, List<String> more) {
    List<String> overrides = new ArrayList<>(ConfigFile.overrides(session, given));
    overrides.addAll(more);
    return loader.loadForRollout(ConfigFile.of(session, given), overrides);
  }

  /** Plays {@code episodes}; returns whether all are done. */
  private boolean play(LoadedConfig config, int episodes, PrintStream out) {
    try (Interrupts.Watch _ = interrupts.watch()) {
      RolloutRun run = runner.start(config, true, episodes);
      run.notices().forEach(notice -> out.println(NoticeList.line(notice)));
      out.println("writing to " + run.folder());
      Outcome outcome = FutureResults.of(run.outcome(), run::stop);
      outcome.notices().forEach(notice -> out.println(NoticeList.line(notice)));
      if (outcome.interrupted()) {
        out.println("stopped early: no figures, the responses are in " + run.folder());
      }
      return !outcome.interrupted();
    }
  }

  /** Grades the responses in {@code from} again and returns the folder of the results. */
  private Path regraded(
      CommandSession session, Arguments given, Path from, Map<String, Object> settings)
      throws IOException, InterruptedException {
    PluginRegistry registered = RequiredService.of(plugins, "eval", "roll.core");
    var unused = ks(given, EvalResults.read(from).samples());
    LoadedConfig config = load(session, given, List.of());
    Path folder = output(session, given, from, "-regraded");
    settings.put("config", config.file().toString());
    settings.put("regraded", from.toString());
    try (Interrupts.Watch _ = interrupts.watch();
        Regrading regrading = new Regrading(registered, config.run().rollout().customEnvs())) {
      regrading.write(from, folder);
    }
    Files.writeString(folder.resolve("config.yaml"), config.effectiveYaml());
    return folder;
  }

  /** Returns the folder of the results, which does not exist yet. */
  private static Path output(CommandSession session, Arguments given, Path of, String suffix) {
    String named = given.optional(Syntax.OUTPUT);
    Path folder =
        named == null ? of.resolveSibling(of.getFileName() + suffix) : UserPath.of(session, named);
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new UserException("eval: " + folder + " exists: name a new folder with --output");
    }
    return folder;
  }

  /** Returns the numbers of {@link #K}, ascending. */
  private static List<Integer> ks(Arguments given, int samples) {
    String text = given.optional(K);
    if (text == null) {
      return samples == 1 ? List.of(1) : List.of(1, samples);
    }
    TreeSet<Integer> ks = new TreeSet<>();
    for (String k : text.split(",", -1)) {
      if (!k.matches("[1-9]\\d{0,4}")) {
        throw SYNTAX.wrong(K + ": expected integers such as 1,4,8, found '" + text + "'");
      }
      ks.add(Integer.parseInt(k));
    }
    if (ks.last() > samples) {
      throw new UserException(
          "eval: %s: pass@%d needs %d samples per task, found %d (%s)"
              .formatted(K, ks.last(), ks.last(), samples, SAMPLES));
    }
    return List.copyOf(ks);
  }
}
