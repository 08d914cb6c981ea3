package roll.text.chat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Parses values that a data set stores as JSON strings. */
public final class JsonText {
  private static final Gson GSON =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .setObjectToNumberStrategy(reader -> number(reader.nextString()))
          .create();

  private JsonText() {}

  /** Returns whether {@code value} is a string that begins like a JSON list or object. */
  public static boolean is(@Nullable Object value, char begin) {
    return value instanceof String text && text.stripLeading().indexOf(begin) == 0;
  }

  /** Parses the JSON {@code text}; null if it is not JSON. */
  public static @Nullable Object read(String text) {
    try {
      return GSON.fromJson(text, Object.class);
    } catch (JsonParseException | NumberFormatException e) {
      return null;
    }
  }

  /** Returns {@code value}, if it is a text parsed as JSON. */
  public static @Nullable Object parsed(@Nullable Object value) {
    return value instanceof String text ? read(text) : value;
  }

  private static Number number(String text) {
    if (text.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E')) {
      return Double.valueOf(text);
    }
    BigInteger whole = new BigInteger(text);
    return whole.bitLength() < Long.SIZE ? (Number) whole.longValue() : whole;
  }
}
