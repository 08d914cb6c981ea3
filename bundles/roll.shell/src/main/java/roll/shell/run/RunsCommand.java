package roll.shell.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.runtime.listing.ListedRun;
import roll.runtime.listing.RunListing;
import roll.runtime.listing.RunQuery;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;

/** {@code runs}: lists training runs with their state. */
@Component(name = "roll.shell.runs", service = Command.class)
@RollCommand(function = "runs")
public final class RunsCommand extends Command {
  /** Default output folder of runs. */
  private static final String OUTPUT = "output";

  private static final String ALL = "--all";
  private static final String FILTER = "--filter";
  private static final String SORT = "--sort";
  private static final String COLUMNS = "--columns";
  private static final String ARCHIVED = "--archived";
  private static final String JSON = "--json";

  /** Options that need {@code --all}. */
  private static final List<String> OF_ALL = List.of(FILTER, SORT, COLUMNS, ARCHIVED, JSON);

  /** Arguments and options of the command {@code runs}. */
  static final Syntax SYNTAX =
      new Syntax(
          "runs",
          "Lists the training runs of this system and the run folders in ./output, or shows one"
              + " run.",
          List.of(RunList.WORD),
          List.of(
              Option.optional(ALL, "folder", "list all runs below a folder, as the live page does"),
              Option.optional(
                  FILTER,
                  "terms",
                  "words, and comparisons of keys, metrics, state and tag: 'state=failed"
                      + " learning_rate>0.001'"),
              Option.optional(SORT, "field", "order, descending after -: -val/score/mean"),
              Option.optional(
                  COLUMNS, "fields", "further columns: keys, metrics, min(metric), max(metric)"),
              Option.flag(ARCHIVED, "list archived runs too"),
              Option.flag(JSON, "print one line of JSON for each run")));

  private final RunList runs;
  private final @Nullable RunListing listing;

  /** A command on the runs of {@code trainer}; without {@code listing} folders are not listed. */
  @Activate
  public RunsCommand(
      @Reference Trainer trainer,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable RunListing listing) {
    super(SYNTAX);
    this.runs = new RunList(trainer);
    this.listing = listing;
  }

  /** Returns a line per run, those of this system first, or the description of one. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    String folder = given.optional(ALL);
    if (folder != null) {
      return all(UserPath.of(session, folder), given);
    }
    for (String option : OF_ALL) {
      if (given.flag(option)) {
        throw SYNTAX.wrong(option + " needs " + ALL + " <folder>");
      }
    }
    if (given.optional(0) != null) {
      return RunReport.of(runs.find(given.optional(0)));
    }
    List<TrainingRun> all = runs.trainer().runs();
    Set<Path> here =
        all.stream()
            .map(run -> run.folder().toAbsolutePath().normalize())
            .collect(Collectors.toSet());
    String written = OutputRuns.list(UserPath.of(session, OUTPUT), here);
    if (all.isEmpty()) {
      return written.isEmpty() ? "no runs yet" : written;
    }
    return RunReport.list(all) + (written.isEmpty() ? "" : "\n\n" + written);
  }

  private String all(Path folder, Arguments given) {
    if (given.optional(0) != null) {
      throw SYNTAX.wrong(ALL + " lists runs, and takes no run");
    }
    String columns = given.optional(COLUMNS);
    RunQuery query =
        new RunQuery(
            orEmpty(given.optional(FILTER)),
            orEmpty(given.optional(SORT)),
            columns == null ? List.of() : List.of(columns.split(",", -1)),
            given.flag(ARCHIVED));
    List<ListedRun> found = RequiredService.of(listing, "runs", "roll.ui").list(folder, query);
    if (given.flag(JSON)) {
      return found.stream().map(Json::whole).collect(Collectors.joining("\n"));
    }
    return found.isEmpty() ? "no run is there" : RunReport.listed(found, query.columns());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
