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

/** Writes and reads JSON for commands. */
public final class Json {
  private static final Gson GSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .setObjectToNumberStrategy(in -> number(in.nextString()))
          .create();

  private static final Gson WITH_NULLS = GSON.newBuilder().serializeNulls().create();

  private Json() {}

  /** Returns {@code value}, a record or collection of plain values, in one line. */
  public static String line(Object value) {
    return TerminalText.escaped(GSON.toJson(value));
  }

  /** Returns {@code value} as JSON in one line, including null fields. */
  public static String whole(Object value) {
    return TerminalText.escaped(WITH_NULLS.toJson(value));
  }

  /**
   * Returns the JSON object in {@code text}.
   *
   * @param where beginning of the error message
   * @throws UserException if {@code text} is no JSON object
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
      var unused = reader.peek(); // fails if something follows
      return GSON.<Map<String, @Nullable Object>>fromJson(
          value, new TypeToken<Map<String, @Nullable Object>>() {});
    } catch (JsonParseException | IOException e) {
      throw new UserException(where + ": is not a JSON object: " + reason(e), e);
    }
  }

  /** Returns what is wrong with malformed JSON and where, in one line. */
  public static String reason(Exception wrong) {
    Throwable cause = Objects.requireNonNullElse(wrong.getCause(), wrong);
    return String.valueOf(cause.getMessage())
        .lines()
        .findFirst()
        .orElse("")
        .replaceFirst("^(?:java\\.|com\\.)[\\w.$]+: ", "")
        .replaceFirst("Use JsonReader\\S* to accept malformed JSON", "malformed")
        .replaceFirst("^End of input", "it is incomplete")
        .replaceFirst(" at line (\\d+) column (\\d+) path \\$$", " (line $1, column $2)")
        .replaceFirst(
            " at line (\\d+) column (\\d+) path \\$\\.?(\\S+)", " (line $1, column $2, at $3)");
  }

  /** Returns an integer of any size for a number without point and exponent, as Python does. */
  private static Number number(String text) {
    BigDecimal number = new BigDecimal(text);
    boolean whole = text.chars().allMatch(c -> c == '-' || Character.isDigit(c));
    return whole ? number.toBigIntegerExact() : (Number) number.doubleValue();
  }
}
