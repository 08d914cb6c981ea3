package roll.shell.terminal;

import java.io.Console;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Process;
import org.jspecify.annotations.Nullable;

/**
 * Text colors of the terminal.
 *
 * @param on whether colors are used
 */
public record TerminalColors(boolean on) {
  private static final String ESCAPE = "\u001B[";
  private static final String GREEN = "38;5;40";
  private static final String LIME = "38;5;148";
  private static final String ORANGE = "38;5;214";
  private static final String RED = "38;5;196";

  /**
   * Returns colors if requested, or if {@code session} writes to a terminal and neither {@code
   * NO_COLOR} nor {@code TERM=dumb} is set.
   *
   * @param environment environment variables
   */
  public static TerminalColors of(
      boolean requested, CommandSession session, Map<String, String> environment) {
    return new TerminalColors(requested || wanted(terminal(session), environment));
  }

  /** Returns whether to use colors by default. */
  public static boolean wanted(boolean terminal, Map<String, String> environment) {
    return terminal
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  /** Returns whether output goes to a terminal; within a pipe only the last stage does. */
  private static boolean terminal(CommandSession session) {
    // null outside the shell, whatever Error Prone believes
    @Nullable Process stage = Process.Utils.current();
    if (session.get(".terminal") != null && stage != null) {
      return stage.isTty(1);
    }
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  /** Returns {@code text} in the color of a log-prob: from green (certain) to red (unlikely). */
  public String probability(double logProb, String text) {
    double probability = Math.exp(logProb);
    if (probability >= 0.5) {
      return paint(probability >= 0.9 ? GREEN : LIME, text);
    }
    return paint(probability >= 0.1 ? ORANGE : RED, text);
  }

  /** Returns {@code text} in the color of the sign of {@code number}; zero has none. */
  public String sign(double number, String text) {
    return number == 0 ? text : paint(number > 0 ? GREEN : RED, text);
  }

  /** Returns the legend of {@link #probability}; empty without colors. */
  public String legend() {
    return on
        ? "token probability: "
            + probability(Math.log(0.95), "≥ 0.9")
            + ", "
            + probability(Math.log(0.7), "≥ 0.5")
            + ", "
            + probability(Math.log(0.2), "≥ 0.1")
            + ", "
            + probability(Math.log(0.01), "< 0.1")
        : "";
  }

  /** Returns {@code text} in the style of a heading. */
  public String heading(String text) {
    return paint("1", text);
  }

  /** Returns {@code text} colored line by line, so that a pager can cut lines. */
  private String paint(String color, String text) {
    return on && !text.isEmpty()
        ? text.replaceAll("[^\n]+", ESCAPE + color + "m$0" + ESCAPE + "0m")
        : text;
  }
}
