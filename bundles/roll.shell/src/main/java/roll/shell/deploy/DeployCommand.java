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

/** {@code deploy}: a jar becomes a plugin of the running system, or is refused. */
@Component(name = "roll.shell.deploy", service = Command.class)
@RollCommand(function = "deploy")
public final class DeployCommand extends Command {
  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "deploy",
          "Installs or updates a plugin from a jar, and prints what it offers.",
          List.of(Word.one("jar", "a bundle")),
          List.of());

  private final Deployer deployer;

  /** A command on this folder. */
  @Activate
  public DeployCommand(@Reference Deployer deployer) {
    super(SYNTAX);
    this.deployer = deployer;
  }

  /** One line: what the jar offers now. */
  @Override
  protected String run(CommandSession session, Arguments given) throws InterruptedException {
    return "deployed "
        + deployer.deploy(UserPath.of(session, given.word(0)), session.getConsole()::println);
  }
}
