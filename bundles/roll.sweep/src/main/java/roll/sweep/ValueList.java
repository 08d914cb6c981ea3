package roll.sweep;

import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;

/** Parses a list in brackets on the command line: {@code [1e-3, {a: 1}, 'x, y']}. */
final class ValueList {
  private ValueList() {}

  /** Returns whether {@code text} begins like a list. */
  static boolean begins(String text) {
    return text.strip().startsWith("[");
  }

  /**
   * Returns the values in {@code text} as written, without surrounding spaces. Commas within
   * brackets, braces and quotes belong to a value.
   *
   * @param key for the error message
   * @throws UserException if the list is not closed, or the list or a value is empty
   */
  static List<String> of(String key, String text) {
    String list = text.strip();
    List<String> values = new ArrayList<>();
    List<Character> open = new ArrayList<>();
    char quote = 0;
    int begin = 1;
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if ((c == '\'' || c == '"') && list.substring(begin, i).isBlank()) {
        quote = c; // within a word it is an apostrophe
      } else if (c == '[' || c == '{') {
        open.add(c == '[' ? ']' : '}');
      } else if (c == ']' || c == '}') {
        if (open.isEmpty() || open.removeLast() != c) {
          throw wrong(key, text, "'" + c + "' closes nothing");
        }
        if (open.isEmpty()) {
          if (i < list.length() - 1) {
            throw wrong(key, text, "something follows the list");
          }
          values.add(list.substring(begin, i).strip());
        }
      } else if (c == ',' && open.size() == 1) {
        values.add(list.substring(begin, i).strip());
        begin = i + 1;
      }
    }
    if (quote != 0 || !open.isEmpty()) {
      throw wrong(key, text, quote != 0 ? "a quote is not closed" : "the list is not closed");
    }
    return checked(key, text, values);
  }

  private static List<String> checked(String key, String text, List<String> values) {
    if (values.equals(List.of(""))) {
      throw wrong(key, text, "the list is empty");
    }
    if (values.contains("")) {
      throw wrong(key, text, "value " + (values.indexOf("") + 1) + " is empty");
    }
    return List.copyOf(values);
  }

  private static UserException wrong(String key, String text, String what) {
    return new UserException(
        "sweep: %s: expected a list such as [1,2,3], found %s: %s".formatted(key, text, what));
  }
}
