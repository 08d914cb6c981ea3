package roll.shell.terminal;

import java.io.Console;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.service.command.Process;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** How many characters a line has where a command writes. */
final class TerminalWidth {
  /** The width of files and pipes. */
  static final int UNBOUNDED = Integer.MAX_VALUE;

  private TerminalWidth() {}

  /** The width of the terminal that this thread's command writes to. */
  static int here() {
    // null for a process that is one command, whatever Error Prone believes
    @Nullable Process stage = Process.Utils.current();
    Object shell = stage == null ? null : stage.job().session().get(".terminal");
    if (stage == null || shell == null) {
      boolean terminal =
          Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
      return terminal ? columns(System.getenv()) : UNBOUNDED;
    }
    return stage.isTty(1)
            && shell instanceof Terminal terminal
            && !terminal.getType().startsWith(Terminal.TYPE_DUMB)
        ? positive(terminal.getWidth())
        : UNBOUNDED;
  }

  /** What the script that starts roll says of the terminal. */
  static int columns(Map<String, String> environment) {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("\\d{1,6}") ? positive(Integer.parseInt(columns)) : UNBOUNDED;
  }

  private static int positive(int width) {
    return width > 0 ? width : UNBOUNDED;
  }
}
