package roll.bench.llamacpp;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Objects of JSON as rows: what is neither text nor number nor boolean is passed over. */
final class JsonRows {
  /** Gson tells the place of a reader or of a mistake in words only. */
  private static final Pattern PLACE = Pattern.compile("at line (\\d{1,9}) column (\\d+)");

  private static final String EXPECTED = "JSON as the tools print it";

  private JsonRows() {}

  /** The object that is all of {@code line}. */
  static LlamaRow object(String line, LlamaPlace place) {
    JsonReader reader = strict(new StringReader(line));
    try {
      LlamaRow row = object(reader, place);
      var _ = reader.peek(); // fails unless this is the end
      return row;
    } catch (IOException e) {
      throw place.mistake(problem(e), EXPECTED);
    }
  }

  /**
   * Gives each object of a list to {@code rows}.
   *
   * @param text begins with the list and may go on after it
   * @param begin where that is
   * @return lines until its end
   */
  static int list(Reader text, LlamaPlace begin, Consumer<LlamaRow> rows) {
    JsonReader reader = strict(text);
    try {
      reader.beginArray();
      while (reader.hasNext()) {
        LlamaPlace place = at(begin, reader.toString());
        if (reader.peek() != JsonToken.BEGIN_OBJECT) {
          throw place.mistake("a list without objects", EXPECTED);
        }
        rows.accept(object(reader, place));
      }
      reader.endArray();
      return at(begin, reader.toString()).line() - begin.line() + 1;
    } catch (IOException e) {
      throw at(begin, e.getMessage()).mistake(problem(e), EXPECTED);
    }
  }

  private static JsonReader strict(Reader text) {
    JsonReader reader = new JsonReader(text);
    reader.setStrictness(Strictness.STRICT);
    return reader;
  }

  private static LlamaRow object(JsonReader reader, LlamaPlace place) throws IOException {
    Map<String, String> cells = new LinkedHashMap<>();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      switch (reader.peek()) {
        case STRING, NUMBER -> cells.put(name, reader.nextString());
        case BOOLEAN -> cells.put(name, String.valueOf(reader.nextBoolean()));
        default -> reader.skipValue();
      }
    }
    reader.endObject();
    return new LlamaRow(place, cells);
  }

  private static LlamaPlace at(LlamaPlace begin, @Nullable String words) {
    Matcher place = PLACE.matcher(String.valueOf(words));
    int line = place.find() ? Integer.parseInt(place.group(1)) : 1;
    return new LlamaPlace(begin.file(), begin.line() + line - 1);
  }

  private static String problem(IOException failure) {
    if (failure instanceof EOFException) {
      return "JSON that is cut off";
    }
    Matcher place = PLACE.matcher(String.valueOf(failure.getMessage()));
    return "invalid JSON" + (place.find() ? " at column " + place.group(2) : "");
  }
}
