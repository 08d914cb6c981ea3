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

/** {@code undeploy}: removes a deployed plugin from the running system. */
@Component(name = "roll.shell.undeploy", service = Command.class)
@RollCommand(function = "undeploy")
public final class UndeployCommand extends Command {
  /** Arguments and options of the command {@code undeploy}. */
  static final Syntax SYNTAX =
      new Syntax(
          "undeploy",
          "Removes a deployed plugin.",
          List.of(Word.one("name", "the bundle's symbolic name, or its file in deploy/")),
          List.of());

  private final Deployer deployer;

  /** Creates the command with {@code deployer}. */
  @Activate
  public UndeployCommand(@Reference Deployer deployer) {
    super(SYNTAX);
    this.deployer = deployer;
  }

  /** Undeploys a plugin and returns one line with the removed bundle. */
  @Override
  protected String run(CommandSession session, Arguments given) throws InterruptedException {
    return "undeployed " + deployer.undeploy(given.word(0), session.getConsole()::println);
  }
}
