package roll.template.jinja.function;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Formats dates as C's {@code strftime} does in the C locale. */
final class Strftime {
  private Strftime() {}

  /** Formats {@code time} by {@code format}; an unknown conversion stays unchanged. */
  static String format(ZonedDateTime time, String format) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        text.append(c);
        continue;
      }
      char next = format.charAt(++i);
      boolean unpadded = next == '-' && i + 1 < format.length();
      String shown = convert(time, unpadded ? format.charAt(++i) : next);
      text.append(unpadded ? shown.replaceFirst("^[0 ]+(?=.)", "") : shown);
    }
    return text.toString();
  }

  private static String convert(ZonedDateTime time, char conversion) {
    return switch (conversion) {
      case 'e' -> "%2d".formatted(time.getDayOfMonth());
      case 'w' -> String.valueOf(time.getDayOfWeek().getValue() % 7);
      case 'u' -> String.valueOf(time.getDayOfWeek().getValue());
      case 'U' -> two((time.getDayOfYear() + 6 - time.getDayOfWeek().getValue() % 7) / 7);
      case 'W' -> two((time.getDayOfYear() + 7 - time.getDayOfWeek().getValue()) / 7);
      case 'V' -> two(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case 'G' -> String.valueOf(time.get(IsoFields.WEEK_BASED_YEAR));
      case 's' -> String.valueOf(time.toEpochSecond());
      case 'D', 'x' -> format(time, "%m/%d/%y");
      case 'F' -> format(time, "%Y-%m-%d");
      case 'T', 'X' -> format(time, "%H:%M:%S");
      case 'R' -> format(time, "%H:%M");
      case 'c' -> format(time, "%a %b %e %H:%M:%S %Y");
      case 'n' -> "\n";
      case 't' -> "\t";
      case '%' -> "%";
      case 'z', 'Z' -> ""; // Python's now() knows no zone
      default -> pattern(time, conversion);
    };
  }

  private static String pattern(ZonedDateTime time, char conversion) {
    String pattern =
        switch (conversion) {
          case 'Y' -> "uuuu";
          case 'y' -> "uu";
          case 'm' -> "MM";
          case 'B' -> "MMMM";
          case 'b', 'h' -> "MMM";
          case 'd' -> "dd";
          case 'j' -> "DDD";
          case 'A' -> "EEEE";
          case 'a' -> "EEE";
          case 'H' -> "HH";
          case 'I' -> "hh";
          case 'M' -> "mm";
          case 'S' -> "ss";
          case 'p' -> "a";
          case 'f' -> "SSSSSS";
          default -> "";
        };
    return pattern.isEmpty()
        ? "%" + conversion
        : time.format(DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH));
  }

  private static String two(int number) {
    return "%02d".formatted(number);
  }
}
