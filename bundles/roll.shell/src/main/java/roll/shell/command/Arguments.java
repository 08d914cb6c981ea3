package roll.shell.command;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The arguments and options that a command was called with.
 *
 * @param syntax that they were read with
 * @param help whether {@code --help} was given; then there are no arguments or options
 * @param words arguments in order
 * @param options values of the options that were given, by name
 */
public record Arguments(
    Syntax syntax, boolean help, List<String> words, Map<String, List<String>> options) {
  /** Returns argument {@code index}, or null if it was omitted. */
  public @Nullable String optional(int index) {
    return index < words.size() ? words.get(index) : null;
  }

  /** Returns argument {@code index}, which must be there. */
  public String word(int index) {
    return words.get(index);
  }

  /** Returns all arguments from {@code index} on. */
  public List<String> from(int index) {
    return words.subList(Math.min(index, words.size()), words.size());
  }

  /**
   * Checks that there are at most {@code count} arguments.
   *
   * @throws roll.api.option.UserException naming the first one too many
   */
  public void atMost(int count) {
    if (words.size() > count) {
      throw syntax.tooMany(words.get(count));
    }
  }

  /** Returns whether the option was given. */
  public boolean flag(String name) {
    return options.containsKey(name);
  }

  /** Returns the value of an option: as given, or the default. */
  public String text(String name) {
    List<String> given = options.get(name);
    if (given != null) {
      return given.getFirst();
    }
    for (Syntax.Option option : syntax.options()) {
      if (option.name().equals(name)) {
        return Objects.requireNonNull(option.defaultValue());
      }
    }
    throw new IllegalArgumentException("option " + name + " is not declared");
  }

  /**
   * Returns the value of an option with a fixed set of values.
   *
   * @throws roll.api.option.UserException if it is none of {@code allowed}
   */
  public String word(String name, String... allowed) {
    String word = text(name);
    if (!List.of(allowed).contains(word)) {
      throw syntax.wrong(
          name + ": expected " + String.join(" or ", allowed) + ", found '" + word + "'");
    }
    return word;
  }

  /** Returns the value of an option, or null if it was omitted. */
  public @Nullable String optional(String name) {
    return flag(name) ? text(name) : null;
  }

  /** Returns the values of a repeatable option. */
  public List<String> texts(String name) {
    return options.getOrDefault(name, List.of());
  }

  /**
   * Returns the number value of an option; the caller checks its range.
   *
   * @throws roll.api.option.UserException if the value is no number
   */
  public double number(String name) {
    try {
      return Double.parseDouble(text(name));
    } catch (NumberFormatException e) {
      throw syntax.wrong(name + ": expected a number, found '" + text(name) + "'");
    }
  }

  /**
   * Returns the integer value of an option; the caller checks its range.
   *
   * @throws roll.api.option.UserException if the value is no int
   */
  public int integer(String name) {
    return (int) integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /**
   * Returns the integer value of an option.
   *
   * @throws roll.api.option.UserException if it is no integer, or not in {@code [min, max]}
   */
  public long integer(String name, long min, long max) {
    try {
      long value = Long.parseLong(text(name));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    String range = max == Long.MAX_VALUE ? "" : " from " + min + " to " + max;
    throw syntax.wrong(name + ": expected an integer" + range + ", found '" + text(name) + "'");
  }
}
