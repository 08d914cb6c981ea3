package roll.shell;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

/** JSON as commands print it for programs. */
final class Json {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private Json() {}

  /** {@code value}, a record or collection of plain values, in one line. */
  static String line(Object value) {
    return GSON.toJson(value);
  }
}
