package roll.main;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.runtime.command.Interrupts;

/**
 * Handles Ctrl-C for a command in the interactive shell before Gogo, which would abandon the job.
 * Other signals still end the shell.
 */
@Component(name = "roll.main.interrupts")
public final class TerminalInterrupts implements Interrupts {
  @Override
  public Watch watch() {
    return SignalWatch.of(List.of("INT"), Thread.currentThread(), System.err);
  }
}
