package roll.tracking.alerts;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import roll.api.tracking.RunEnd;

/** A condition under which a rule alerts. */
sealed interface AlertCondition {
  /** A metric compared with a number, as in {@code val/score/mean < 0.5}. */
  record Comparison(String metric, String operator, double bound) implements AlertCondition {
    private static final Pattern TEXT =
        Pattern.compile("(.*\\S)\\s*(<=|>=|<|>)\\s*([-+]?[.\\d]+([eE][-+]?\\d+)?)");

    private static Optional<AlertCondition> of(String text) {
      Matcher parts = TEXT.matcher(text);
      if (!parts.matches()) {
        return Optional.empty();
      }
      try {
        double bound = Double.parseDouble(parts.group(3));
        return Double.isFinite(bound)
            ? Optional.of(new Comparison(parts.group(1), parts.group(2), bound))
            : Optional.empty();
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    /** Returns whether the condition holds for {@code value}. */
    boolean holds(double value) {
      return switch (operator) {
        case "<" -> value < bound;
        case "<=" -> value <= bound;
        case ">" -> value > bound;
        default -> value >= bound;
      };
    }

    @Override
    public String toString() {
      return metric + " " + operator + " " + bound;
    }
  }

  /** The end of the run. */
  record Ended(RunEnd.State state) implements AlertCondition {
    @Override
    public String toString() {
      return state.name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the condition written as {@code text}; empty if it is invalid. */
  static Optional<AlertCondition> of(String text) {
    String plain = text.strip();
    return Stream.of(RunEnd.State.values())
        .<AlertCondition>map(Ended::new)
        .filter(end -> end.toString().equals(plain))
        .findFirst()
        .or(() -> Comparison.of(plain));
  }
}
