package roll.tool.search;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Reads passages from a JSON array of objects, or from JSON lines. */
final class JsonPassages {
  private static final TypeAdapter<JsonElement> ELEMENTS = new Gson().getAdapter(JsonElement.class);

  private JsonPassages() {}

  /** Passes the passages of {@code file} to {@code reader}, see {@link Corpus#read}. */
  static void read(Path file, List<String> fields, Consumer<Passage> reader) {
    int number = 0;
    try (JsonReader json = new JsonReader(Files.newBufferedReader(file))) {
      // lenient parsing accepts several values
      json.setStrictness(Strictness.LENIENT);
      boolean array = json.peek() == JsonToken.BEGIN_ARRAY;
      if (array) {
        json.beginArray();
      }
      while (json.peek() != JsonToken.END_DOCUMENT && json.peek() != JsonToken.END_ARRAY) {
        number++;
        reader.accept(passage(ELEMENTS.read(json), fields));
      }
      if (array) {
        json.endArray();
      }
    } catch (CharacterCodingException e) {
      throw new UserException(file + " is not UTF-8", e);
    } catch (IOException | JsonParseException | IllegalStateException e) {
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new UserException(
          file + ", entry " + number + ": expected JSON objects: " + message, e);
    }
  }

  private static Passage passage(JsonElement element, List<String> fields) {
    if (!(element instanceof JsonObject object)) {
      throw new JsonParseException("found " + element);
    }
    String title = text(object.get(fields.getFirst()));
    String text =
        fields.stream()
            .skip(1)
            .map(field -> text(object.get(field)))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("\n"));
    if (title.isEmpty() && text.isEmpty()) {
      throw new JsonParseException("none of the fields " + fields + " in " + object.keySet());
    }
    return new Passage(title, text);
  }

  /** Returns the text of {@code value}: a list joined, null empty. */
  private static String text(@Nullable JsonElement value) {
    if (value == null || value.isJsonNull()) {
      return "";
    }
    if (value.isJsonArray()) {
      return StreamSupport.stream(value.getAsJsonArray().spliterator(), false)
          .map(JsonPassages::text)
          .collect(Collectors.joining(" "));
    }
    return value.isJsonPrimitive() ? value.getAsString() : value.toString();
  }
}
