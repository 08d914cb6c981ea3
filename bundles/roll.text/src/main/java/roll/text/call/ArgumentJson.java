package roll.text.call;

import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses JSON (RFC 8259, at most 255 levels deep) to the values of a {@link
 * roll.api.tool.ToolCall}: strings, Long for integers, Double, Boolean, lists, maps; nulls are
 * dropped. An integer that does not fit a Long becomes a Double.
 */
public final class ArgumentJson {
  private static final TypeAdapter<Object> VALUES =
      new GsonBuilder()
          .setObjectToNumberStrategy(reader -> number(reader.nextString()))
          .create()
          .getAdapter(Object.class);
  private static final Pattern PLACE = Pattern.compile("at (line \\d+ column \\d+)");
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,19}");

  private ArgumentJson() {}

  /** Thrown for invalid text; the message is part of a sentence. */
  public static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with {@code message}. */
    public Refusal(String message) {
      super(message);
    }
  }

  /** Parses all of {@code text} as an object. */
  public static Map<String, Object> whole(String text) throws Refusal {
    return object(text, true);
  }

  /** Parses the object at the beginning of {@code text}. */
  public static Map<String, Object> first(String text) throws Refusal {
    return object(text, false);
  }

  /**
   * Returns the end of the object in {@code text} at {@code from}; −1 if it is incomplete or there
   * is none.
   */
  public static int end(String text, int from) {
    JsonObjectScanner object = new JsonObjectScanner();
    return object.read(text, from) == JsonObjectScanner.State.ENDED ? object.at() : -1;
  }

  private static Map<String, Object> object(String text, boolean whole) throws Refusal {
    if (text.isBlank()) {
      throw new Refusal("nothing is written");
    }
    JsonReader reader = new JsonReader(new StringReader(text));
    reader.setStrictness(Strictness.STRICT);
    try {
      JsonToken kind = reader.peek();
      if (kind != JsonToken.BEGIN_OBJECT) {
        Object _ = VALUES.read(reader);
        throw new Refusal(named(kind) + " is written");
      }
      Map<String, Object> object = mapping((Map<?, ?>) VALUES.read(reader));
      if (whole) {
        JsonToken _ = reader.peek(); // throws if anything follows
      }
      return object;
    } catch (EOFException e) {
      throw new Refusal("the JSON ends too early");
    } catch (MalformedJsonException | NumberFormatException e) {
      Matcher place = PLACE.matcher(String.valueOf(e.getMessage()));
      throw new Refusal("the JSON is malformed" + (place.find() ? " at " + place.group(1) : ""));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String named(JsonToken kind) {
    return switch (kind) {
      case BEGIN_ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      default -> "null";
    };
  }

  /** Returns {@code json} without nulls, at all depths. */
  private static Object present(Object json) {
    return switch (json) {
      case Map<?, ?> map -> mapping(map);
      case List<?> list ->
          list.stream().filter(Objects::nonNull).map(ArgumentJson::present).toList();
      default -> json;
    };
  }

  private static Map<String, Object> mapping(Map<?, ?> json) {
    Map<String, Object> mapping = new LinkedHashMap<>();
    json.forEach(
        (name, value) -> {
          if (value != null) {
            mapping.put(String.valueOf(name), present(value));
          }
        });
    return mapping;
  }

  private static Number number(String text) {
    if (WHOLE.matcher(text).matches()) {
      try {
        return Long.valueOf(text);
      } catch (NumberFormatException e) {
        return Double.valueOf(text);
      }
    }
    double number = Double.parseDouble(text);
    if (Double.isInfinite(number)) {
      throw new NumberFormatException("too large");
    }
    return number;
  }
}
