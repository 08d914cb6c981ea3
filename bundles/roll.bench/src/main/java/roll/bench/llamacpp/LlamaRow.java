package roll.bench.llamacpp;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A row of a table or an object of JSON.
 *
 * @param place where it is
 * @param cells texts by the names of their columns
 */
record LlamaRow(LlamaPlace place, Map<String, String> cells) {
  private static final String NUMBER = "(\\d{1,12}(?:\\.\\d{1,12})?)";

  /** A mean, in tables with the standard deviation. */
  private static final Pattern RATE = Pattern.compile(NUMBER + "(?: ± " + NUMBER + ")?");

  private static final Pattern WEIGHTS = Pattern.compile(NUMBER + "(?: ([MB]))?");
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}");

  /** The text in {@code column}; empty where there is no such column. */
  String text(String column) {
    return cells.getOrDefault(column, "");
  }

  /** Tokens per second, above 0. */
  double rate(String column) {
    Matcher matcher = RATE.matcher(text(column));
    double rate = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    if (!(rate > 0)) {
      throw place.mistake(found(column), "tokens per second above 0");
    }
    return rate;
  }

  /** A whole number of at least {@code least}. */
  int count(String column, int least) {
    String text = text(column);
    int count = COUNT.matcher(text).matches() ? Integer.parseInt(text) : -1;
    if (count < least) {
      throw place.mistake(found(column), "a whole number of at least " + least);
    }
    return count;
  }

  /** How many weights: a number, or one of millions or billions; NaN without the column. */
  double weights(String column) {
    return cells.containsKey(column) ? weights(place, column, text(column)) : Double.NaN;
  }

  /** The same, of {@code text} that is called {@code name}. */
  static double weights(LlamaPlace place, String name, String text) {
    Matcher matcher = WEIGHTS.matcher(text);
    if (!matcher.matches()) {
      throw place.mistake(
          name + " '" + LlamaPlace.brief(text) + "'", "a number such as '386.57 M'");
    }
    double unit = "M".equals(matcher.group(2)) ? 1e6 : "B".equals(matcher.group(2)) ? 1e9 : 1;
    return unit * Double.parseDouble(matcher.group(1));
  }

  private String found(String column) {
    return column + " '" + LlamaPlace.brief(text(column)) + "'";
  }
}
