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
import roll.shell.syntax.UserPath;

/** {@code deploy}: a jar becomes a plugin of the running system, or is refused. */
@Component(name = "roll.shell.deploy", service = DeployCommand.class)
@RollCommand(function = "deploy", description = DeployCommand.SUMMARY)
public final class DeployCommand {
  static final String SUMMARY =
      "Installs or updates a plugin from a jar, and prints what it offers.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax("deploy", SUMMARY, List.of(Word.one("jar", "a bundle")), List.of());

  private final Deployer deployer;

  /** A command on this folder. */
  @Activate
  public DeployCommand(@Reference Deployer deployer) {
    this.deployer = deployer;
  }

  /** One line: what the jar offers now. */
  @Descriptor(SUMMARY)
  public String deploy(CommandSession session, @Descriptor("<jar>") String... arguments)
      throws InterruptedException {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    return "deployed "
        + deployer.deploy(UserPath.of(session, given.word(0)), session.getConsole()::println);
  }
}
