package roll.shell.node;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.runtime.nodes.Nodes;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Word;
import roll.shell.syntax.UserPath;

/** {@code token}: what nodes join a run with that has not begun. */
@Component(name = "roll.shell.token", service = TokenCommand.class)
@RollCommand(function = "token", description = TokenCommand.SUMMARY)
public final class TokenCommand {
  static final String SUMMARY =
      "Makes the token for nodes to join a run that has not begun, and prints it.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "token",
          SUMMARY,
          List.of(
              Word.one(
                  "folder",
                  "output folder of the run, output_dir/exp_name: it gets cluster/authority.pem;"
                      + " start the run with the token in $ROLL_TOKEN")),
          List.of());

  private final @Nullable Nodes nodes;

  /** A command on this service. */
  @Activate
  public TokenCommand(
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Nodes nodes) {
    this.nodes = nodes;
  }

  /** The token. */
  @Descriptor(SUMMARY)
  public String token(CommandSession session, @Descriptor("<folder>") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    return RequiredService.of(nodes, "token", "roll.cluster.nodes")
        .prepare(UserPath.of(session, given.word(0)));
  }
}
