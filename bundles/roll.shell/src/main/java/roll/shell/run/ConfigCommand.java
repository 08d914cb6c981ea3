package roll.shell.run;

import org.apache.felix.service.command.CommandSession;
import roll.shell.command.Command;
import roll.shell.command.Syntax;

/** A command on a configuration, which also accepts Hydra's options for the file. */
public abstract class ConfigCommand extends Command {
  /** A command on a configuration with the syntax of its arguments. */
  protected ConfigCommand(Syntax syntax) {
    super(syntax);
  }

  @Override
  protected final String[] words(CommandSession session, String... typed) {
    return HydraArguments.read(session, typed);
  }
}
