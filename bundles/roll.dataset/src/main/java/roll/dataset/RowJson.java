package roll.dataset;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Reads and writes rows as JSON: nulls are dropped, and the last of several equal names wins. */
final class RowJson {
  /** Gson tells the place of a reader or of a mistake in words only. */
  private static final Pattern PLACE = Pattern.compile("at line (\\d+) column (\\d+)");

  private RowJson() {}

  /** Returns a JSON reader that accepts the standard alone. */
  static JsonReader strict(Reader text) {
    JsonReader reader = new JsonReader(text);
    reader.setStrictness(Strictness.STRICT);
    return reader;
  }

  /** Returns the line number at which {@code reader} is, from 1. */
  static long line(JsonReader reader) {
    Matcher place = PLACE.matcher(reader.toString());
    return place.find() ? Long.parseLong(place.group(1)) : 1;
  }

  /**
   * Reads the next JSON mapping.
   *
   * @param where file and line, for messages
   * @throws UserException if something else comes
   */
  static Map<String, Object> mapping(JsonReader reader, String where) throws IOException {
    JsonToken next = reader.peek();
    if (next != JsonToken.BEGIN_OBJECT) {
      String found =
          switch (next) {
            case BEGIN_ARRAY -> "a list";
            case STRING -> "a text";
            case NUMBER -> "a number";
            case NULL -> "null";
            default -> "'" + reader.nextBoolean() + "'";
          };
      throw new UserException(
          where + ": expected a mapping such as {\"question\": …}, found " + found);
    }
    return object(reader);
  }

  private static Map<String, Object> object(JsonReader reader) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      Object value = value(reader);
      if (value == null) {
        fields.remove(name);
      } else {
        fields.put(name, value);
      }
    }
    reader.endObject();
    return fields;
  }

  private static @Nullable Object value(JsonReader reader) throws IOException {
    return switch (reader.peek()) {
      case BEGIN_OBJECT -> object(reader);
      case BEGIN_ARRAY -> list(reader);
      case STRING -> reader.nextString();
      case BOOLEAN -> reader.nextBoolean();
      case NUMBER -> number(reader.nextString());
      default -> {
        reader.nextNull();
        yield null;
      }
    };
  }

  private static List<Object> list(JsonReader reader) throws IOException {
    List<Object> items = new ArrayList<>();
    reader.beginArray();
    while (reader.hasNext()) {
      Object value = value(reader);
      if (value != null) {
        items.add(value);
      }
    }
    reader.endArray();
    return items;
  }

  /**
   * Returns a Long or a Double, or the text of a number too large for both, without loss of digits.
   */
  private static Object number(String text) {
    if (text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))) {
      try {
        return Long.valueOf(text);
      } catch (NumberFormatException e) {
        return text;
      }
    }
    double number = Double.parseDouble(text);
    return Double.isInfinite(number) ? text : (Object) number;
  }

  /** Whether {@code reader} has more input after the value it has read. */
  static boolean more(JsonReader reader) throws IOException {
    try {
      return reader.peek() != JsonToken.END_DOCUMENT;
    } catch (MalformedJsonException e) {
      return true;
    }
  }

  /** Returns the reason for which JSON was rejected with {@code failure}, a phrase. */
  static String problem(Exception failure) {
    if (failure instanceof EOFException) {
      return "not valid JSON: it ends too early";
    }
    Matcher place = PLACE.matcher(String.valueOf(failure.getMessage()));
    return failure instanceof MalformedJsonException && place.find()
        ? "not valid JSON near column " + place.group(2)
        : "not valid JSON";
  }

  /** Returns the line number in the message of {@code failure}, or {@code otherwise}. */
  static long line(Exception failure, long otherwise) {
    Matcher place = PLACE.matcher(String.valueOf(failure.getMessage()));
    return place.find() ? Long.parseLong(place.group(1)) : otherwise;
  }
}
