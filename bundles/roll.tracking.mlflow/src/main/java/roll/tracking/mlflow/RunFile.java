package roll.tracking.mlflow;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * What the run's folder remembers, so that a run that is resumed goes on as the same one.
 *
 * @param id of the run at the server
 * @param started when it was, in milliseconds since 1970
 * @param step the newest one that was sent; −1 for none
 */
record RunFile(String id, long started, int step) {
  /** Name of the file in the run's folder. */
  static final String NAME = "mlflow-run.json";

  /**
   * What {@code folder} remembers; null for nothing.
   *
   * @throws IOException if it cannot be read
   */
  static @Nullable RunFile read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
      return new RunFile(
          json.get("id").getAsString(),
          json.get("started").getAsLong(),
          json.get("step").getAsInt());
    } catch (RuntimeException e) {
      throw new IOException(file + ": is not what this tracker wrote", e);
    }
  }

  /** The same after {@code newest} was sent. */
  RunFile sent(int newest) {
    return new RunFile(id, started, newest);
  }

  /** Writes it into {@code folder}; one that is half written is never seen. */
  void write(Path folder) throws IOException {
    JsonObject json = new JsonObject();
    json.addProperty("id", id);
    json.addProperty("started", started);
    json.addProperty("step", step);
    Path beside = folder.resolve("." + NAME + ".tmp");
    Files.writeString(beside, json + "\n");
    Files.move(
        beside,
        folder.resolve(NAME),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
