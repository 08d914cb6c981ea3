package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;

/** {@code version}: what a bug report has to say first. */
@Component(name = "roll.shell.version", service = VersionCommand.class)
@RollCommand(function = "version", description = VersionCommand.SUMMARY)
public final class VersionCommand {
  static final String SUMMARY = "Prints the versions of roll, Java and the OSGi framework.";

  /** How it is called. */
  public static final Syntax SYNTAX = new Syntax("version", SUMMARY, List.of(), List.of());

  private final BundleContext context;

  /** A command that speaks of the bundle and the framework of {@code context}. */
  @Activate
  public VersionCommand(BundleContext context) {
    this.context = context;
  }

  /** One line. */
  @Descriptor(SUMMARY)
  public String version(CommandSession session, String... arguments) {
    if (SYNTAX.read(arguments).help()) {
      return SYNTAX.help();
    }
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
