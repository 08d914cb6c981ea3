package roll.ui.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.option.UserException;

/** A filter of runs, as {@link roll.runtime.listing.RunQuery} describes it. */
final class RunFilter {
  private static final Pattern COMPARISON =
      Pattern.compile("([^<>=!~]+)(<=|>=|!=|=|<|>|~)(.*)", Pattern.DOTALL);
  private static final int MAX_LENGTH = 1_000;

  private final List<String> words = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();

  private RunFilter() {}

  /** A comparison of the values of {@code field} with {@code value}. */
  private record Comparison(String field, String operator, String value) {
    boolean holds(List<?> values) {
      if (operator.equals("!=")) {
        return values.stream().noneMatch(this::isEqual);
      }
      return values.stream().anyMatch(this::holds);
    }

    private boolean holds(Object found) {
      double difference = number(found) - number(value);
      return switch (operator) {
        case "=" -> isEqual(found);
        case "~" -> lower(String.valueOf(found)).contains(lower(value));
        case "<" -> difference < 0;
        case "<=" -> difference <= 0;
        case ">" -> difference > 0;
        default -> difference >= 0;
      };
    }

    private boolean isEqual(Object found) {
      return number(found) == number(value) || lower(String.valueOf(found)).equals(lower(value));
    }
  }

  /**
   * Reads {@code text}.
   *
   * @throws UserException if a comparison is invalid
   */
  static RunFilter of(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new UserException("filter: expected at most %,d characters".formatted(MAX_LENGTH));
    }
    RunFilter filter = new RunFilter();
    for (String term : text.strip().split("\\s+", -1)) {
      Matcher comparison = COMPARISON.matcher(term);
      if (!comparison.matches()) {
        filter.words.add(lower(term));
        continue;
      }
      String operator = comparison.group(2);
      String value = comparison.group(3);
      boolean order = operator.startsWith("<") || operator.startsWith(">");
      if (order ? Double.isNaN(number(value)) : value.isEmpty()) {
        throw new UserException(
            "filter: expected %s after '%s%s', found '%s'"
                .formatted(order ? "a number" : "a value", comparison.group(1), operator, value));
      }
      filter.comparisons.add(new Comparison(comparison.group(1), operator, value));
    }
    return filter;
  }

  /** Returns whether {@code run} has all that is wanted. */
  boolean takes(RunFields run) throws IOException {
    if (!words.stream().allMatch(run::contains)) {
      return false;
    }
    for (Comparison comparison : comparisons) {
      if (!comparison.holds(run.values(comparison.field()))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number that {@code value} is; NaN for another text. */
  static double number(Object value) {
    try {
      return value instanceof Double number ? number : Double.parseDouble(String.valueOf(value));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns {@code text} in lower case, the same everywhere. */
  static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
