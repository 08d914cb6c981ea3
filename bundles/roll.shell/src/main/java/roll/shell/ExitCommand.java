package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.runtime.pipeline.Trainer;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;

/** {@code exit}: the way out of the interactive shell, as Ctrl-D is. */
@Component(name = "roll.shell.exit", service = ExitCommand.class)
@RollCommand(function = "exit", description = ExitCommand.SUMMARY)
public final class ExitCommand {
  static final String SUMMARY = "Leaves the shell; so does Ctrl-D.";

  /** How it is called. */
  public static final Syntax SYNTAX = new Syntax("exit", SUMMARY, List.of(), List.of());

  private final BundleContext context;
  private final @Nullable Trainer trainer;

  /** A command that ends the framework of {@code context}, where {@code trainer} may have runs. */
  @Activate
  public ExitCommand(
      BundleContext context,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Trainer trainer) {
    this.context = context;
    this.trainer = trainer;
  }

  /** Stops the framework; that happens after this command has returned. */
  @Descriptor(SUMMARY)
  public @Nullable String exit(CommandSession session, String... arguments) throws BundleException {
    if (SYNTAX.read(arguments).help()) {
      return SYNTAX.help();
    }
    if (trainer != null) {
      trainer.runs().stream()
          .filter(run -> run.status().state().active())
          .map(run -> "run " + run.number() + " ends first, saved in " + run.folder())
          .forEach(session.getConsole()::println);
    }
    context.getBundle(0).stop();
    return null;
  }
}
