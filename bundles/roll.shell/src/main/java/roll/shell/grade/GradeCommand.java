package roll.shell.grade;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.data.Trajectory;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.runtime.command.Interrupts;
import roll.runtime.plugin.PluginRegistry;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;

/** {@code grade}: grades responses with known answers by a reward or grader. */
@Component(name = "roll.shell.grade", service = Command.class)
@RollCommand(function = "grade")
public final class GradeCommand extends Command {
  private static final int NAMED = 5;
  private static final String JSON = "--json";
  private static final String RESPONSE = "--response";

  /** Arguments and options of the command {@code grade}. */
  static final Syntax SYNTAX =
      new Syntax(
          "grade",
          "Grades responses with a reward or grader, without a run.",
          List.of(
              Word.one(
                  "reward or grader",
                  "a name listed by `services roll.reward` or `services roll.grader`"),
              Word.one(
                  "rows.jsonl",
                  "{\"answer\": …, \"response\": …} per line; an answer is a text, a number or a"
                      + " list of these; also .json and .parquet"),
              Word.any(
                  "key=value",
                  "an option of the reward or grader, for example answer_key=solution")),
          List.of(
              Option.flag(JSON, "print one object per row instead of the table"),
              Option.one(RESPONSE, "field", "response", "field with the response")));

  private final @Nullable PluginRegistry plugins;
  private final @Nullable DataSetReader dataSets;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public GradeCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable PluginRegistry plugins,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable DataSetReader dataSets,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.plugins = plugins;
    this.dataSets = dataSets;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * Checks all rows, then grades them; prints a table, or one line of JSON per row, and the mean.
   */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    PluginRegistry registered = RequiredService.of(plugins, "grade", "roll.core");
    RowTrajectories episodes = new RowTrajectories(given.word(0), given.text(RESPONSE));
    try (RowGrader grading = RowGrader.of(registered, given.word(0), given.from(2))) {
      List<Row> rows = rows(session, given.word(1));
      check(rows, episodes, grading);
      grade(session, given.flag(JSON), rows, episodes, grading);
    }
    return null;
  }

  private List<Row> rows(CommandSession session, String name) {
    DataSetReader reader = RequiredService.of(dataSets, "grade", "roll.dataset");
    List<Row> rows = reader.read(List.of(UserPath.of(session, name)));
    if (rows.isEmpty()) {
      throw new UserException(name + ": has no rows");
    }
    return rows;
  }

  /** Reports all invalid rows at once: the reason of the first, and the lines of the others. */
  private static void check(List<Row> rows, RowTrajectories episodes, RowGrader grading) {
    List<String> lines = new ArrayList<>();
    String first = "";
    for (Row row : rows) {
      try {
        episodes.check(row, grading.key(), grading.conversation());
      } catch (UserException e) {
        first = lines.isEmpty() ? e.getMessage() : first;
        lines.add(String.valueOf(row.line()));
      }
    }
    if (!lines.isEmpty()) {
      String others =
          lines.stream().skip(1).limit(NAMED).collect(Collectors.joining(", "))
              + (lines.size() > NAMED + 1 ? ", …" : "");
      throw new UserException(
          lines.size() == 1
              ? first
              : first + "; " + (lines.size() - 1) + " more rows are invalid, lines " + others);
    }
  }

  private void grade(
      CommandSession session,
      boolean json,
      List<Row> rows,
      RowTrajectories episodes,
      RowGrader grading) {
    PrintStream out = session.getConsole();
    List<GradedRow> graded = new ArrayList<>();
    long start = System.nanoTime();
    try (Interrupts.Watch _ = interrupts.watch()) {
      for (Row row : rows) {
        Trajectory episode = episodes.of(row);
        GradedRow one =
            new GradedRow(row.line(), grading.known(episode), grading.grade(row.where(), episode));
        graded.add(one);
        if (json) {
          out.println(one.json());
        }
      }
    } catch (InterruptedException e) {
      session.put("exit", INTERRUPTED);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (!json) {
      out.println(GradedRow.table(graded) + "\n");
    }
    // standard output has only the rows
    (json ? System.err : out).println(GradedRow.summary(graded, seconds));
  }
}
