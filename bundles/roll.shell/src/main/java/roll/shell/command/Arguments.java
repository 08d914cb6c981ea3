package roll.shell.command;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a command was called with.
 *
 * @param syntax it was read by
 * @param help whether only help was asked for; then there is nothing else
 * @param words arguments in order
 * @param options values of the options that were given
 */
public record Arguments(
    Syntax syntax, boolean help, List<String> words, Map<String, List<String>> options) {
  /** Argument {@code index}, or null if it was left out. */
  public @Nullable String optional(int index) {
    return index < words.size() ? words.get(index) : null;
  }

  /** Argument {@code index}, which must be given. */
  public String word(int index) {
    return words.get(index);
  }

  /** All arguments from {@code index} on. */
  public List<String> from(int index) {
    return words.subList(Math.min(index, words.size()), words.size());
  }

  /** Whether an option without a value was given. */
  public boolean flag(String name) {
    return options.containsKey(name);
  }

  /** The value of an option, given or default. */
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
   * The value of an option that knows a few words.
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

  /** The value of an option, or null if it was left out. */
  public @Nullable String optional(String name) {
    return flag(name) ? text(name) : null;
  }

  /** The values of an option that may be given several times. */
  public List<String> texts(String name) {
    return options.getOrDefault(name, List.of());
  }

  /**
   * The number an option has; its range is checked by who uses it.
   *
   * @throws roll.api.option.UserException if it is none
   */
  public double number(String name) {
    try {
      return Double.parseDouble(text(name));
    } catch (NumberFormatException e) {
      throw syntax.wrong(name + ": expected a number, found '" + text(name) + "'");
    }
  }

  /**
   * The integer an option has; its range is checked by who uses it.
   *
   * @throws roll.api.option.UserException if it is none, or too great for an int
   */
  public int integer(String name) {
    return (int) integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /**
   * The integer an option has.
   *
   * @throws roll.api.option.UserException if it is none or not within {@code [least, most]}
   */
  public long integer(String name, long least, long most) {
    try {
      long value = Long.parseLong(text(name));
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    String range = most == Long.MAX_VALUE ? "" : " from " + least + " to " + most;
    throw syntax.wrong(name + ": expected an integer" + range + ", found '" + text(name) + "'");
  }
}
