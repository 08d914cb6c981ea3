package roll.ui.run;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.ui.file.FileBytes;
import roll.ui.file.FileStamp;

/**
 * Notes of a user on a run, in its file {@code notes.json}.
 *
 * @param note empty without one
 * @param tags in their order
 * @param archived whether the run is listed on request only
 */
public record RunNotes(String note, List<String> tags, boolean archived) {
  /** Name of the file in the folder of a run. */
  static final String NAME = "notes.json";

  /** The notes of a missing or broken file. */
  static final RunNotes NONE = new RunNotes("", List.of(), false);

  /** Maximum length of a note. */
  public static final int MAX_NOTE = 10_000;

  /** Maximum number of tags of a run. */
  public static final int MAX_TAGS = 20;

  /** Maximum length of a tag. */
  public static final int MAX_TAG = 40;

  private static final int MAX_BYTES = 256 << 10;
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  /** Reads {@code file}; parts that are not as they are written here are left out. */
  static RunNotes read(Path file) throws IOException {
    JsonObject json = json(file);
    if (json == null) {
      return NONE;
    }
    List<String> tags = new ArrayList<>();
    if (json.get("tags") instanceof JsonArray array) {
      for (JsonElement tag : array) {
        if (tags.size() < MAX_TAGS && !text(tag).isEmpty() && text(tag).length() <= MAX_TAG) {
          tags.add(text(tag));
        }
      }
    }
    String note = text(json.get("note"));
    boolean archived =
        json.get("archived") instanceof JsonPrimitive one && one.isBoolean() && one.getAsBoolean();
    return new RunNotes(
        note.substring(0, Math.min(note.length(), MAX_NOTE)), List.copyOf(tags), archived);
  }

  /** Returns the JSON object in {@code file}; null where there is none. */
  private static @Nullable JsonObject json(Path file) throws IOException {
    if (FileStamp.of(file) == null) {
      return null;
    }
    String text = new String(FileBytes.head(file, MAX_BYTES), StandardCharsets.UTF_8);
    try {
      return GSON.fromJson(text, JsonElement.class) instanceof JsonObject object ? object : null;
    } catch (JsonParseException e) {
      return null;
    }
  }

  private static String text(@Nullable JsonElement value) {
    return value instanceof JsonPrimitive one && one.isString() ? one.getAsString() : "";
  }

  /**
   * Writes these notes into {@code folder}, at once; other members of the file stay.
   *
   * @throws UserException if there is something else of that name
   */
  public void write(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    JsonObject json = json(file);
    if (json == null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new UserException(file + ": expected a JSON object; nothing was changed");
    }
    JsonObject next = json == null ? new JsonObject() : json;
    next.addProperty("note", note);
    next.add("tags", GSON.toJsonTree(tags));
    next.addProperty("archived", archived);
    Path beside = folder.resolve("." + NAME + "." + UUID.randomUUID());
    try {
      Files.writeString(beside, GSON.toJson(next) + "\n", StandardOpenOption.CREATE_NEW);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
