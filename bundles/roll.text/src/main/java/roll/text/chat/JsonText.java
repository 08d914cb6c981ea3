package roll.text.chat;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that a data set stores as JSON texts. */
final class JsonText {
  private JsonText() {}

  /** Whether {@code value} is a text that begins as a JSON list or object. */
  static boolean is(@Nullable Object value, char begin) {
    return value instanceof String text && text.stripLeading().indexOf(begin) == 0;
  }

  /** The value that {@code text} is; null where it is no JSON. */
  static @Nullable Object read(String text) {
    try {
      JsonReader reader = new JsonReader(new StringReader(text));
      reader.setStrictness(Strictness.STRICT);
      Object value = value(reader);
      return reader.peek() == JsonToken.END_DOCUMENT ? value : null;
    } catch (IOException | IllegalStateException | NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Object value(JsonReader reader) throws IOException {
    return switch (reader.peek()) {
      case BEGIN_OBJECT -> {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNext()) {
          object.put(reader.nextName(), value(reader));
        }
        reader.endObject();
        yield object;
      }
      case BEGIN_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNext()) {
          list.add(value(reader));
        }
        reader.endArray();
        yield list;
      }
      case STRING -> reader.nextString();
      case BOOLEAN -> reader.nextBoolean();
      case NUMBER -> number(reader.nextString());
      default -> {
        reader.nextNull();
        yield null;
      }
    };
  }

  private static Object number(String text) {
    if (text.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E')) {
      return Double.valueOf(text);
    }
    BigInteger whole = new BigInteger(text);
    return whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole;
  }
}
