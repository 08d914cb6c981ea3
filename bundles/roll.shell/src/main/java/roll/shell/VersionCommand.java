package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;

/** {@code version}: prints the versions that a bug report needs. */
@Component(name = "roll.shell.version", service = Command.class)
@RollCommand(function = "version")
public final class VersionCommand extends Command {
  /** Arguments and options of the command {@code version}. */
  static final Syntax SYNTAX =
      new Syntax(
          "version",
          "Prints the versions of roll, Java and the OSGi framework.",
          List.of(),
          List.of());

  private final BundleContext context;

  /** A command on the bundle and the framework of {@code context}. */
  @Activate
  public VersionCommand(BundleContext context) {
    super(SYNTAX);
    this.context = context;
  }

  /** Returns the versions in one line. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    Bundle framework = context.getBundle(0);
    return "roll %s (Java %s, %s %s, %s %s)"
        .formatted(
            context.getBundle().getVersion(),
            Runtime.version(),
            framework.getSymbolicName(),
            framework.getVersion(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }
}
