package roll.shell;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;

/** {@code exit}: leaves the interactive shell. */
@Component(name = "roll.shell.exit", service = Command.class)
@RollCommand(function = "exit")
public final class ExitCommand extends Command {
  /** Arguments and options of the command {@code exit}. */
  static final Syntax SYNTAX =
      new Syntax(
          "exit",
          "Leaves the shell, like Ctrl-D; background runs are saved first.",
          List.of(),
          List.of());

  private final BundleContext context;
  private final @Nullable Trainer trainer;

  /** A command that stops the framework of {@code context}; {@code trainer} has its runs. */
  @Activate
  public ExitCommand(
      BundleContext context,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Trainer trainer) {
    super(SYNTAX);
    this.context = context;
    this.trainer = trainer;
  }

  /** Stops the framework after this command has returned. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) throws BundleException {
    if (trainer != null) {
      trainer.runs().stream()
          .filter(run -> run.status().state().active())
          .map(run -> "run " + run.number() + " is saved first, in " + run.folder())
          .forEach(session.getConsole()::println);
    }
    context.getBundle(0).stop();
    return null;
  }
}
