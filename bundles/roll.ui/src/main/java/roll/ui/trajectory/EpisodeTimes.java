package roll.ui.trajectory;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileBytes;
import roll.ui.file.FileLines;

/** The times of episodes in {@code times/step-N.jsonl}. */
final class EpisodeTimes {
  private static final Gson GSON = new Gson();

  private EpisodeTimes() {}

  /** Returns the times of {@code episode}; null if the file does not have them. */
  static @Nullable JsonArray read(Path file, JsonObject episode) throws IOException {
    String begin = "{\"id\":" + episode.get("id") + ",";
    AtomicReference<@Nullable String> found = new AtomicReference<>();
    try (FileChannel channel = FileBytes.open(file)) {
      long unused =
          FileLines.read(
              channel,
              0,
              channel.size(),
              (_, bytes, start, length) -> {
                String line = new String(bytes, start, length, StandardCharsets.UTF_8);
                if (line.startsWith(begin)) {
                  found.set(line);
                }
                return found.get() == null;
              });
    }
    return times(found.get());
  }

  private static @Nullable JsonArray times(@Nullable String line) {
    try {
      return GSON.fromJson(line, JsonElement.class) instanceof JsonObject object
              && object.get("times") instanceof JsonArray times
          ? times
          : null;
    } catch (JsonParseException e) {
      return null;
    }
  }
}
