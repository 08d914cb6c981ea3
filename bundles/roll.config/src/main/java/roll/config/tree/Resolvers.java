package roll.config.tree;

import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * The functions of interpolations that look at the outside: {@code oc.env:VAR,default} is an
 * environment variable, as in OmegaConf; {@code now:format} the time at which the configuration is
 * read, as in Hydra, in the directives of Python's {@code strftime}. All of a configuration see the
 * same time.
 */
public final class Resolvers {
  private static final String ALLOWED =
      "is not supported (allowed: ${key.path}, ${.key}, ${oc.select:key.path,default},"
          + " ${oc.env:VAR,default}, ${now:%Y-%m-%d})";

  /** Directives of strftime as patterns of {@link DateTimeFormatter}, in the language of C. */
  private static final Map<Character, String> DIRECTIVES =
      Map.ofEntries(
          Map.entry('Y', "uuuu"),
          Map.entry('y', "uu"),
          Map.entry('m', "MM"),
          Map.entry('b', "MMM"),
          Map.entry('B', "MMMM"),
          Map.entry('d', "dd"),
          Map.entry('j', "DDD"),
          Map.entry('a', "EEE"),
          Map.entry('A', "EEEE"),
          Map.entry('H', "HH"),
          Map.entry('I', "hh"),
          Map.entry('p', "a"),
          Map.entry('M', "mm"),
          Map.entry('S', "ss"),
          Map.entry('f', "SSSSSS"));

  private final Function<String, @Nullable String> environment;
  private final ZonedDateTime now;

  /** With the variables of {@code environment}, at {@code now}. */
  public Resolvers(Function<String, @Nullable String> environment, ZonedDateTime now) {
    this.environment = environment;
    this.now = now;
  }

  /**
   * Evaluates the resolver {@code function} of an interpolation.
   *
   * @param typed whether text is parsed as a YAML number or boolean
   * @throws UserException the end of a sentence about the interpolation, if there is no such
   *     function, or no value
   */
  @Nullable Object value(String function, String arguments, boolean typed) {
    return switch (function) {
      case "oc.env" -> variable(two(arguments), typed);
      case "now" -> time(arguments);
      default -> throw new UserException(ALLOWED);
    };
  }

  private @Nullable Object variable(List<String> arguments, boolean typed) {
    String text = environment.apply(arguments.getFirst());
    if (text == null && arguments.size() < 2) {
      throw new UserException("names a variable that is not set and has no default");
    }
    if (text == null) {
      return written(arguments.getLast(), typed);
    }
    return typed ? scalar(text) : text;
  }

  private String time(String format) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%') {
        out.append(c);
        continue;
      }
      char directive = ++i < format.length() ? format.charAt(i) : ' ';
      String pattern = DIRECTIVES.get(directive);
      if (pattern != null) {
        out.append(formatted(pattern));
      } else if (directive == '%') {
        out.append('%');
      } else {
        throw new UserException(
            "has the directive '%"
                + directive
                + "', which is not known (allowed: %Y %m %d %H %M %S"
                + " %y %b %B %j %a %A %I %p %f %%)");
      }
    }
    return out.toString();
  }

  private String formatted(String pattern) {
    try {
      return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(now);
    } catch (DateTimeException e) {
      throw new IllegalStateException(e); // a date and a time of day have all of these
    }
  }

  /** The text before the first comma and, if there is one, the text after it. */
  static List<String> two(String arguments) {
    int comma = arguments.indexOf(',');
    return comma < 0
        ? List.of(arguments.strip())
        : List.of(arguments.substring(0, comma).strip(), arguments.substring(comma + 1).strip());
  }

  /** A default as it is written: a scalar of YAML, or the text of one. */
  static @Nullable Object written(String text, boolean typed) {
    Object value = scalar(text);
    return typed ? value : String.valueOf(value);
  }

  /** Returns {@code text} parsed as YAML if the result is a scalar, else the text itself. */
  private static @Nullable Object scalar(String text) {
    try {
      Object value = YamlReader.value("a default", text);
      return value instanceof Map<?, ?> || value instanceof List<?> ? text : value;
    } catch (UserException e) {
      return text; // no YAML, so it is a text
    }
  }
}
