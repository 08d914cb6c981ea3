package roll.shell.trajectory;

import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Component;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Table;
import roll.shell.terminal.TerminalColors;

/** {@code trajectory}: shows trajectories from the files of a run. */
@Component(name = "roll.shell.trajectory", service = Command.class)
@RollCommand(function = "trajectory")
public final class TrajectoryCommand extends Command {
  /** Arguments and options of the command {@code trajectory}. */
  static final Syntax SYNTAX =
      new Syntax(
          "trajectory",
          "Lists the trajectories of a file, or shows one turn by turn with colored tokens.",
          List.of(
              Word.one("list|show", "list all, or show one"),
              Word.one("file", "trajectories/step-N.jsonl of a run, or a dumped rollout"),
              Word.optional("id", "id to show, or a unique prefix (default: the first)")),
          List.of(
              Option.flag("--color", "use colors even if the output is not a terminal"),
              Option.one(
                  "--color-by",
                  String.join("|", TokenColor.words()),
                  TokenColor.LOG_PROB.word(),
                  "quantity that token colors show; advantage and ratio (trainer's probability to"
                      + " the sampled one) exist for steps that were trained on")));

  /** Creates the command, which needs no services. */
  public TrajectoryCommand() {
    super(SYNTAX);
  }

  /** Returns the table of trajectories, or one trajectory. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    String id = given.optional(2);
    return switch (given.word(0)) {
      case "list" -> {
        given.atMost(2);
        yield list(TrajectoryFile.read(UserPath.of(session, given.word(1))));
      }
      case "show" -> {
        TerminalColors paint = TerminalColors.of(given.flag("--color"), session, System.getenv());
        TrajectoryFile file = TrajectoryFile.read(UserPath.of(session, given.word(1)));
        yield TrajectoryReport.of(
            file.find(id),
            file.folder(),
            paint,
            TokenColor.of(given.word("--color-by", TokenColor.words())));
      }
      default -> throw SYNTAX.wrong("expected list or show, found '" + given.word(0) + "'");
    };
  }

  private static String list(TrajectoryFile file) {
    Table table = new Table().row("id", "score", "turns", "finish");
    file.all()
        .forEach(
            (id, line) -> {
              double[] rewards = Objects.requireNonNullElse(line.rewards(), new double[0]);
              double score = Objects.requireNonNullElse(line.score(), Double.NaN);
              table.row(
                  id,
                  TrajectoryReport.number(score),
                  String.valueOf(rewards.length),
                  Objects.requireNonNullElse(line.finish(), ""));
            });
    return table.toString();
  }
}
