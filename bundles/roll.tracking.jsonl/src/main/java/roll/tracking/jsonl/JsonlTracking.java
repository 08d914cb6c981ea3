package roll.tracking.jsonl;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import roll.api.option.UserException;
import roll.api.tracking.Tracking;

/**
 * Appends the metrics of a run to its metrics file. A line is written at once when its step is
 * logged. If the file is deleted, later lines go into a new one.
 */
final class JsonlTracking implements Tracking {
  private final Path file;
  private FileChannel channel;

  /**
   * Appends to {@code file}, which is created if missing.
   *
   * @throws UserException if it cannot be written
   */
  JsonlTracking(Path file) {
    this.file = file;
    channel = open(file);
  }

  private static FileChannel open(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new UserException(file + ": cannot be written: it is a link or no plain file");
    }
    try {
      return FileChannel.open(
          file, StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + e, e);
    }
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    JsonObject line = new JsonObject();
    line.addProperty("step", step);
    JsonObject values = new JsonObject();
    metrics.forEach(
        (name, value) -> {
          // JSON has no NaN and no infinity
          if (Double.isFinite(value)) {
            values.addProperty(name, value);
          } else {
            values.add(name, JsonNull.INSTANCE);
          }
        });
    line.add("metrics", values);
    write(line + "\n");
  }

  @Override
  public void flush() {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    try (FileChannel last = channel) {
      last.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void write(String line) {
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    try {
      if (!Files.exists(file)) {
        channel.close();
        channel = open(file);
      }
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private UserException failed(IOException e) {
    return new UserException(file + ": cannot be written: " + e.getMessage(), e);
  }
}
