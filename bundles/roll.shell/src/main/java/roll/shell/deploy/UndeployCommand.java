package roll.shell.deploy;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.deploy.Deployer;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Word;

/** {@code undeploy}: takes a deployed jar out of the running system. */
@Component(name = "roll.shell.undeploy", service = UndeployCommand.class)
@RollCommand(function = "undeploy", description = UndeployCommand.SUMMARY)
public final class UndeployCommand {
  static final String SUMMARY = "Removes a plugin that was deployed.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "undeploy",
          SUMMARY,
          List.of(Word.one("name", "the bundle's symbolic name, or its file in deploy/")),
          List.of());

  private final Deployer deployer;

  /** A command on this folder. */
  @Activate
  public UndeployCommand(@Reference Deployer deployer) {
    this.deployer = deployer;
  }

  /** One line: what is gone. */
  @Descriptor(SUMMARY)
  public String undeploy(CommandSession session, @Descriptor("<name>") String... arguments)
      throws InterruptedException {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    return "undeployed " + deployer.undeploy(given.word(0), session.getConsole()::println);
  }
}
