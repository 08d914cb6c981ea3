package roll.env.webshop.catalog;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.option.UserException;

/** Streams large JSON files item by item; errors have file and line. */
final class JsonItems {
  private static final Pattern LINE = Pattern.compile("at line (\\d+)");

  private JsonItems() {}

  /**
   * One object of a file.
   *
   * @param json the object
   * @param where its file and line, for messages
   */
  record Item(JsonObject json, String where) {}

  /** Passes every object of a JSON array, or of JSON lines, to {@code consumer}. */
  static void list(Path file, Consumer<Item> consumer) {
    try (BufferedReader text = Files.newBufferedReader(file)) {
      if (startsWith(text, '[')) {
        JsonReader reader = strict(text, file);
        reader.beginArray();
        while (reader.hasNext()) {
          String where = file + ":" + line(reader.toString(), 0);
          consumer.accept(new Item(object(JsonParser.parseReader(reader), where), where));
        }
        reader.endArray();
        return;
      }
      int number = 0;
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        number++;
        if (!line.isBlank()) {
          String where = file + ":" + number;
          consumer.accept(new Item(object(parsed(line, where), where), where));
        }
      }
    } catch (IOException | JsonParseException | IllegalStateException e) {
      throw broken(file, e);
    }
  }

  /**
   * Passes every member of the single JSON object of a file, with the line of its name, to {@code
   * consumer}.
   */
  static void members(Path file, BiConsumer<String, Member> consumer) {
    try (BufferedReader text = Files.newBufferedReader(file)) {
      JsonReader reader = strict(text, file);
      reader.beginObject();
      while (reader.hasNext()) {
        String where = file + ":" + line(reader.toString(), 0);
        String name = reader.nextName();
        consumer.accept(name, new Member(JsonParser.parseReader(reader), where));
      }
      reader.endObject();
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw new UserException(file + ": more than one JSON value");
      }
    } catch (IOException | JsonParseException | IllegalStateException e) {
      throw broken(file, e);
    }
  }

  /**
   * One member of an object.
   *
   * @param value its value
   * @param where file and line, for messages
   */
  record Member(JsonElement value, String where) {}

  /** Returns {@code element} as a JSON object. */
  static JsonObject object(JsonElement element, String where) {
    if (!element.isJsonObject()) {
      throw new UserException(where + ": expected a JSON object, found '" + shown(element) + "'");
    }
    return element.getAsJsonObject();
  }

  /** Returns the beginning of {@code element} as text. */
  static String shown(JsonElement element) {
    String text = element.toString();
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }

  private static JsonElement parsed(String line, String where) {
    try {
      JsonReader reader = new JsonReader(new StringReader(line));
      reader.setStrictness(Strictness.STRICT);
      JsonElement element = JsonParser.parseReader(reader);
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw new UserException(where + ": more than one JSON value on the line");
      }
      return element;
    } catch (JsonParseException | IOException e) {
      throw new UserException(where + ": not valid JSON", e);
    }
  }

  private static JsonReader strict(BufferedReader text, Path file) throws IOException {
    if (!startsWith(text, '[') && !startsWith(text, '{')) {
      throw new UserException(file + ":1: expected JSON");
    }
    JsonReader reader = new JsonReader(text);
    reader.setStrictness(Strictness.STRICT);
    return reader;
  }

  /** Returns whether the first non-blank character is {@code wanted}, without consuming it. */
  private static boolean startsWith(BufferedReader text, char wanted) throws IOException {
    text.mark(1 << 10);
    int first = text.read();
    for (int i = 1; first >= 0 && Character.isWhitespace(first) && i < 1 << 10; i++) {
      first = text.read();
    }
    text.reset();
    return first == wanted;
  }

  /** Returns the line number in a message of Gson, which has it only as text. */
  private static int line(String message, int otherwise) {
    Matcher found = LINE.matcher(message);
    return found.find() ? Integer.parseInt(found.group(1)) : otherwise;
  }

  private static UserException broken(Path file, Exception e) {
    if (e instanceof NoSuchFileException) {
      return new UserException(file + ": no such file", e);
    }
    if (e instanceof CharacterCodingException) {
      return new UserException(file + ": not UTF-8 text", e);
    }
    int line = line(String.valueOf(e.getMessage()), 0);
    return line > 0
        ? new UserException(file + ":" + line + ": not valid JSON", e)
        : new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
  }
}
