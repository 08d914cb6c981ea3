package roll.shell.node;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.nodes.Nodes;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;

/** {@code token}: creates the token of a run before it starts. */
@Component(name = "roll.shell.token", service = Command.class)
@RollCommand(function = "token")
public final class TokenCommand extends Command {
  /** Arguments and options of the command {@code token}. */
  static final Syntax SYNTAX =
      new Syntax(
          "token",
          "Creates the token for joining a run before it starts, and prints it.",
          List.of(
              Word.one(
                  "folder",
                  "output folder of the run, <output_dir>/<exp_name>, for cluster/authority.pem;"
                      + " start the run with the token in $ROLL_TOKEN")),
          List.of());

  private final @Nullable Nodes nodes;

  /** Creates the command with {@code nodes}. */
  @Activate
  public TokenCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Nodes nodes) {
    super(SYNTAX);
    this.nodes = nodes;
  }

  /** Returns the new join token. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    return RequiredService.of(nodes, "token", "roll.cluster.nodes")
        .prepare(UserPath.of(session, given.word(0)));
  }
}
