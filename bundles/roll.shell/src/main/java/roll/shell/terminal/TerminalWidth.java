package roll.shell.terminal;

import java.io.Console;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.service.command.Process;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** The width of the output of a command. */
final class TerminalWidth {
  /** The width of files and pipes. */
  static final int UNBOUNDED = Integer.MAX_VALUE;

  private TerminalWidth() {}

  /** Returns the width of the terminal of this thread's command; unbounded for files and pipes. */
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

  /** Returns the width that the start script passes in {@code COLUMNS}. */
  static int columns(Map<String, String> environment) {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("\\d{1,6}") ? positive(Integer.parseInt(columns)) : UNBOUNDED;
  }

  private static int positive(int width) {
    return width > 0 ? width : UNBOUNDED;
  }
}
