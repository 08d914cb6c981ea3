package roll.shell.trajectory;

import java.util.Arrays;
import roll.shell.terminal.TerminalColors;

/** What the colors of tokens say. */
enum TokenColor {
  /** How likely the policy drew them. */
  LOG_PROB("log-prob") {
    @Override
    String paint(TerminalColors paint, WrittenToken token, String text) {
      return paint.probability(token.logProb(), text);
    }

    @Override
    String legend(TerminalColors paint) {
      return paint.legend();
    }
  },

  /** Whether training makes them likelier. */
  ADVANTAGE("advantage") {
    @Override
    String paint(TerminalColors paint, WrittenToken token, String text) {
      return shown(paint, token.trained() ? token.advantage() : 0, text);
    }

    @Override
    String legend(TerminalColors paint) {
      return "advantage of a token: " + paint.sign(1, "above 0") + ", " + paint.sign(-1, "below");
    }
  },

  /** Whether the trainer finds them likelier than the policy that drew them. */
  RATIO("ratio") {
    @Override
    String paint(TerminalColors paint, WrittenToken token, String text) {
      double log = Math.log(token.ratio());
      return shown(paint, far(log) ? log : 0, text);
    }

    @Override
    String legend(TerminalColors paint) {
      return "ratio of a token: "
          + paint.sign(1, "above 1.2")
          + ", "
          + paint.sign(-1, "below 0.83");
    }
  };

  /** Further from 1 a ratio is worth a color; losses clip at 1.2 by default. */
  private static final double FAR = Math.log(1.2);

  private final String word;

  TokenColor(String word) {
    this.word = word;
  }

  /** The words of all. */
  static String[] words() {
    return Arrays.stream(values()).map(TokenColor::word).toArray(String[]::new);
  }

  /** The one called {@code word}, one of {@link #words}. */
  static TokenColor of(String word) {
    return Arrays.stream(values())
        .filter(color -> color.word.equals(word))
        .findFirst()
        .orElseThrow();
  }

  /** How a person names it. */
  String word() {
    return word;
  }

  /** {@code text} of {@code token} in its color. */
  abstract String paint(TerminalColors paint, WrittenToken token, String text);

  /** What the colors mean. */
  abstract String legend(TerminalColors paint);

  private static boolean far(double log) {
    return Math.abs(log) > FAR;
  }

  /** What is not known has no color. */
  private static String shown(TerminalColors paint, double number, String text) {
    return Double.isNaN(number) ? text : paint.sign(number, text);
  }
}
