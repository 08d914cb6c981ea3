package roll.shell.terminal;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.TerminalText;

/** JSON as commands print and read it. */
public final class Json {
  private static final Gson GSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .setObjectToNumberStrategy(in -> number(in.nextString()))
          .create();

  private static final Gson WITH_NULLS = GSON.newBuilder().serializeNulls().create();

  private Json() {}

  /** {@code value}, a record or collection of plain values, in one line. */
  public static String line(Object value) {
    return TerminalText.escaped(GSON.toJson(value));
  }

  /** The same, also of what is null. */
  public static String whole(Object value) {
    return TerminalText.escaped(WITH_NULLS.toJson(value));
  }

  /**
   * The JSON object that {@code text} is.
   *
   * @param where begins a complaint
   * @throws UserException if it is something else
   */
  public static Map<String, @Nullable Object> object(String where, String text) {
    JsonReader reader = new JsonReader(new StringReader(text));
    reader.setStrictness(Strictness.STRICT);
    try {
      JsonElement value = GSON.fromJson(reader, JsonElement.class);
      if (value == null || !value.isJsonObject()) {
        String found = value == null ? "nothing" : value.isJsonArray() ? "a list" : "one value";
        throw new UserException(where + ": expected a JSON object, found " + found);
      }
      var unused = reader.peek(); // complains of what follows
      return GSON.<Map<String, @Nullable Object>>fromJson(
          value, new TypeToken<Map<String, @Nullable Object>>() {});
    } catch (JsonParseException | IOException e) {
      throw new UserException(where + ": is not a JSON object: " + reason(e), e);
    }
  }

  /** What Gson found wrong, in one line and without Java's names. */
  public static String reason(Exception wrong) {
    Throwable cause = Objects.requireNonNullElse(wrong.getCause(), wrong);
    return String.valueOf(cause.getMessage())
        .lines()
        .findFirst()
        .orElse("")
        .replaceFirst("Use JsonReader\\S* to accept malformed JSON", "malformed");
  }

  /** As in Python a number without point and exponent is whole, however large. */
  private static Number number(String text) {
    BigDecimal number = new BigDecimal(text);
    boolean whole = text.chars().allMatch(c -> c == '-' || Character.isDigit(c));
    return whole ? number.toBigIntegerExact() : (Number) number.doubleValue();
  }
}
