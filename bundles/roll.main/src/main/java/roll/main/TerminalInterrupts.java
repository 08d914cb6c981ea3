package roll.main;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.runtime.command.Interrupts;

/**
 * Ctrl-C for a command in the interactive shell: it goes past Gogo, which would give the command's
 * job up. The other signals still end the shell.
 */
@Component(name = "roll.main.interrupts")
public final class TerminalInterrupts implements Interrupts {
  @Override
  public Watch watch() {
    return SignalWatch.of(List.of("INT"), Thread.currentThread(), System.err);
  }
}
