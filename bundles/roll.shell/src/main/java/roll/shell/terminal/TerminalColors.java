package roll.shell.terminal;

import java.io.Console;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Process;
import org.jspecify.annotations.Nullable;

/**
 * Colors of a terminal.
 *
 * @param on whether there are any; otherwise texts stay as they are
 */
public record TerminalColors(boolean on) {
  private static final String ESCAPE = "\u001B[";
  private static final String GREEN = "38;5;40";
  private static final String LIME = "38;5;148";
  private static final String ORANGE = "38;5;214";
  private static final String RED = "38;5;196";

  /**
   * Colors where they are asked for, or where {@code session} writes to a terminal and neither
   * {@code NO_COLOR} nor {@code TERM=dumb} forbids them.
   *
   * @param environment variables of the process
   */
  public static TerminalColors of(
      boolean asked, CommandSession session, Map<String, String> environment) {
    return new TerminalColors(asked || wanted(terminal(session), environment));
  }

  /** Whether there are colors where nobody asks for them. */
  public static boolean wanted(boolean terminal, Map<String, String> environment) {
    return terminal
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  /** In the shell the end of a pipe is a terminal, its beginning is none. */
  private static boolean terminal(CommandSession session) {
    // null outside the shell, whatever Error Prone believes
    @Nullable Process stage = Process.Utils.current();
    if (session.get(".terminal") != null && stage != null) {
      return stage.isTty(1);
    }
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  /** {@code text} in the color of a token of that log-prob: green is certain, red unlikely. */
  public String probability(double logProb, String text) {
    double probability = Math.exp(logProb);
    if (probability >= 0.5) {
      return paint(probability >= 0.9 ? GREEN : LIME, text);
    }
    return paint(probability >= 0.1 ? ORANGE : RED, text);
  }

  /** {@code text} in the color of {@code number}'s sign; zero has none. */
  public String sign(double number, String text) {
    return number == 0 ? text : paint(number > 0 ? GREEN : RED, text);
  }

  /** What {@link #probability} means; empty without colors. */
  public String legend() {
    return on
        ? "probability of a token: "
            + probability(Math.log(0.95), "from 0.9")
            + ", "
            + probability(Math.log(0.7), "from 0.5")
            + ", "
            + probability(Math.log(0.2), "from 0.1")
            + ", "
            + probability(Math.log(0.01), "less")
        : "";
  }

  /** A heading. */
  public String heading(String text) {
    return paint("1", text);
  }

  /** Line ends stay outside, so that a pager may cut lines. */
  private String paint(String color, String text) {
    return on && !text.isEmpty()
        ? text.replaceAll("[^\n]+", ESCAPE + color + "m$0" + ESCAPE + "0m")
        : text;
  }
}
