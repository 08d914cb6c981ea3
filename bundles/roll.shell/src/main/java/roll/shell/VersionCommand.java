package roll.shell;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandSession;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Version;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.syntax.UserPath;

/** {@code version}: prints the versions for a bug report, or newer ones in a repository. */
@Component(name = "roll.shell.version", service = Command.class)
@RollCommand(function = "version")
public final class VersionCommand extends Command {
  private static final String CHECK = "--check";

  /** Arguments and options of the command {@code version}. */
  static final Syntax SYNTAX =
      new Syntax(
          "version",
          "Prints the versions of roll, Java and the OSGi framework.",
          List.of(),
          List.of(
              Syntax.Option.optional(
                  CHECK,
                  "folder or URL",
                  "compare the bundles with those of an OSGi repository, by its index.xml")));

  private final BundleContext context;

  /** A command on the bundle and the framework of {@code context}. */
  @Activate
  public VersionCommand(BundleContext context) {
    super(SYNTAX);
    this.context = context;
  }

  /** Returns the versions in one line, or a comparison with a repository. */
  @Override
  protected String run(CommandSession session, Arguments given) throws InterruptedException {
    String repository = given.optional(CHECK);
    if (repository != null) {
      return NewerVersions.report(
          context.getBundle(),
          installed(),
          repository.matches("https?://.*")
              ? RepositoryIndex.at(repository)
              : RepositoryIndex.in(UserPath.of(session, repository)));
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

  private SortedMap<String, Version> installed() {
    SortedMap<String, Version> versions = new TreeMap<>();
    for (Bundle bundle : context.getBundles()) {
      versions.merge(
          bundle.getSymbolicName(),
          bundle.getVersion(),
          (one, other) -> NewerVersions.ORDER.compare(one, other) < 0 ? other : one);
    }
    return versions;
  }
}
