package roll.shell.trajectory;

import java.util.Arrays;
import roll.shell.terminal.TerminalColors;

/** The quantity that token colors show. */
enum TokenColor {
  /** Token color: probability of the sampled token. */
  LOG_PROB("log-prob") {
    @Override
    String paint(TerminalColors paint, ResponseToken token, String text) {
      return paint.probability(token.logProb(), text);
    }

    @Override
    String legend(TerminalColors paint) {
      return paint.legend();
    }
  },

  /** Token color: sign of the advantage. */
  ADVANTAGE("advantage") {
    @Override
    String paint(TerminalColors paint, ResponseToken token, String text) {
      return shown(paint, token.trained() ? token.advantage() : 0, text);
    }

    @Override
    String legend(TerminalColors paint) {
      return "token advantage: " + paint.sign(1, "> 0") + ", " + paint.sign(-1, "< 0");
    }
  },

  /** Ratio of the trainer's probability to that of the policy that sampled the token. */
  RATIO("ratio") {
    @Override
    String paint(TerminalColors paint, ResponseToken token, String text) {
      double log = Math.log(token.ratio());
      return shown(paint, far(log) ? log : 0, text);
    }

    @Override
    String legend(TerminalColors paint) {
      return "token ratio: " + paint.sign(1, "> 1.2") + ", " + paint.sign(-1, "< 0.83");
    }
  };

  /** Log of the ratio from which a token is colored; losses clip at 1.2 by default. */
  private static final double FAR = Math.log(1.2);

  private final String word;

  TokenColor(String word) {
    this.word = word;
  }

  /** Returns the option values of the token color. */
  static String[] words() {
    return Arrays.stream(values()).map(TokenColor::word).toArray(String[]::new);
  }

  /** Returns the color of an option value, one of {@link #words}. */
  static TokenColor of(String word) {
    return Arrays.stream(values())
        .filter(color -> color.word.equals(word))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the option value of the token color. */
  String word() {
    return word;
  }

  /** Returns {@code text} in the terminal color for this quantity of {@code token}. */
  abstract String paint(TerminalColors paint, ResponseToken token, String text);

  /** Returns the legend of the token color. */
  abstract String legend(TerminalColors paint);

  private static boolean far(double log) {
    return Math.abs(log) > FAR;
  }

  /** Returns {@code text} in the color of the sign; unchanged for NaN. */
  private static String shown(TerminalColors paint, double number, String text) {
    return Double.isNaN(number) ? text : paint.sign(number, text);
  }
}
