package roll.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * File in a run's folder that identifies the run at a server, so that a resumed run continues it.
 * It is a line of JSON without escapes.
 *
 * @param file path
 * @param id id of the run at the server, without quotes, backslashes and control characters
 * @param started time of the start in milliseconds since 1970
 * @param step newest step that was sent; −1 for none
 */
public record TrackerRunFile(Path file, String id, long started, int step) {
  private static final String ID = "[^\"\\\\\\p{Cntrl}]+";
  private static final Pattern LINE =
      Pattern.compile("\\{\"id\":\"(" + ID + ")\",\"started\":(-?\\d+),\"step\":(-?\\d+)}\n");

  /** Creates a tracker run file and checks the id. */
  public TrackerRunFile {
    if (!id.matches(ID)) {
      throw new IllegalArgumentException("id: \"" + id + "\" is no name of a run");
    }
  }

  /**
   * Reads {@code file}; returns null if it does not exist.
   *
   * @throws IOException if it cannot be read, or is malformed
   */
  public static @Nullable TrackerRunFile read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    Matcher line = LINE.matcher(Files.readString(file));
    try {
      if (line.matches()) {
        long started = Long.parseLong(line.group(2));
        return new TrackerRunFile(file, line.group(1), started, Integer.parseInt(line.group(3)));
      }
    } catch (NumberFormatException e) {
      // said below: too large for one of ours
    }
    throw new IOException(file + ": is not what this tracker wrote");
  }

  /** Returns a copy with the newest step. */
  public TrackerRunFile sent(int newest) {
    return new TrackerRunFile(file, id, started, newest);
  }

  /**
   * Writes the run file atomically.
   *
   * @throws IOException if that failed
   */
  public void write() throws IOException {
    Path beside = file.resolveSibling("." + file.getFileName() + ".tmp");
    String line = "{\"id\":\"%s\",\"started\":%d,\"step\":%d}\n".formatted(id, started, step);
    Files.writeString(beside, line);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
