package roll.shell.deploy;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.deploy.Deployer;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.UserPath;

/** {@code deploy}: installs or updates a plugin of the running system. */
@Component(name = "roll.shell.deploy", service = Command.class)
@RollCommand(function = "deploy")
public final class DeployCommand extends Command {
  /** Arguments and options of the command {@code deploy}. */
  static final Syntax SYNTAX =
      new Syntax(
          "deploy",
          "Installs or updates a plugin from a jar, and prints what it provides.",
          List.of(Word.one("jar", "file of the bundle")),
          List.of());

  private final Deployer deployer;

  /** Creates the command with {@code deployer}. */
  @Activate
  public DeployCommand(@Reference Deployer deployer) {
    super(SYNTAX);
    this.deployer = deployer;
  }

  /** Deploys a jar and returns one line with the names that the bundle provides. */
  @Override
  protected String run(CommandSession session, Arguments given) throws InterruptedException {
    return "deployed "
        + deployer.deploy(UserPath.of(session, given.word(0)), session.getConsole()::println);
  }
}
