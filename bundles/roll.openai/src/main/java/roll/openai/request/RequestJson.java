package roll.openai.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses untrusted JSON: bounded depth and number of values, unique names, numbers in the range of
 * a double, valid Unicode.
 */
final class RequestJson {
  private static final int DEEPEST = 64;
  private static final int MOST_VALUES = 1 << 20;
  private static final Pattern PLACE = Pattern.compile("line \\d+ column \\d+");

  private final JsonReader reader;
  private int values;

  private RequestJson(String text, Strictness strictness) {
    reader = new JsonReader(new StringReader(text));
    reader.setStrictness(strictness);
    reader.setNestingLimit(DEEPEST);
  }

  /** Thrown for invalid JSON; the message is for people and hides those of the library. */
  static final class Problem extends Exception {
    private static final long serialVersionUID = 1L;

    Problem(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Parses the JSON {@code text} of a request.
   *
   * @throws Problem if it is not JSON or exceeds a bound
   */
  static JsonElement read(String text, Strictness strictness) throws Problem {
    RequestJson json = new RequestJson(text, strictness);
    try {
      JsonElement value = json.value();
      if (json.reader.peek() != JsonToken.END_DOCUMENT) {
        throw json.problem("is not valid JSON");
      }
      return value;
    } catch (MalformedJsonException e) {
      throw json.deep(e) ? json.problem("is nested too deeply") : json.malformed(e);
    } catch (IOException | IllegalStateException | NumberFormatException e) {
      throw json.malformed(e);
    }
  }

  private boolean deep(Exception problem) {
    return String.valueOf(problem.getMessage()).contains("esting limit");
  }

  private Problem malformed(Exception problem) {
    Matcher place = PLACE.matcher(String.valueOf(problem.getMessage()));
    return new Problem("is not valid JSON" + (place.find() ? " at " + place.group() : ""));
  }

  private Problem problem(String what) {
    Matcher place = PLACE.matcher(reader.toString());
    return new Problem(what + (place.find() ? " at " + place.group() : ""));
  }

  private JsonElement value() throws IOException, Problem {
    if (++values > MOST_VALUES) {
      throw problem("has more than " + MOST_VALUES + " values");
    }
    return switch (reader.peek()) {
      case BEGIN_ARRAY -> array();
      case BEGIN_OBJECT -> object();
      case STRING -> new JsonPrimitive(text(reader.nextString()));
      case NUMBER -> new JsonPrimitive(number(reader.nextString()));
      case BOOLEAN -> new JsonPrimitive(reader.nextBoolean());
      case NULL -> {
        reader.nextNull();
        yield JsonNull.INSTANCE;
      }
      case NAME, END_ARRAY, END_OBJECT, END_DOCUMENT -> throw problem("is not valid JSON");
    };
  }

  private JsonArray array() throws IOException, Problem {
    JsonArray array = new JsonArray();
    reader.beginArray();
    while (reader.hasNext()) {
      array.add(value());
    }
    reader.endArray();
    return array;
  }

  private JsonObject object() throws IOException, Problem {
    JsonObject object = new JsonObject();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = text(reader.nextName());
      if (object.has(name)) {
        throw problem("has the name '" + name + "' twice");
      }
      object.add(name, value());
    }
    reader.endObject();
    return object;
  }

  private String text(String text) throws Problem {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          throw problem("has half a character");
        }
        i++;
      }
    }
    return text;
  }

  private BigDecimal number(String text) throws Problem {
    BigDecimal number = new BigDecimal(text);
    if (!Double.isFinite(number.doubleValue())) {
      throw problem("has a number that is too large");
    }
    return number;
  }
}
