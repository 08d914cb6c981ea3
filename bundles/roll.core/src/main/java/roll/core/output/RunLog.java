package roll.core.output;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * The run's own log file, {@code run.log}: what served which step, how long, what went wrong. A
 * file that has grown to 10 MB becomes {@code run.log.1}, that one {@code run.log.2}, and so on to
 * 5.
 */
public final class RunLog implements AutoCloseable {
  /** Name of the file. */
  public static final String NAME = "run.log";

  private static final long MOST_BYTES = 10_000_000;
  private static final int KEPT = 5;

  private final Path file;
  private final long mostBytes;
  private final List<String> held = new ArrayList<>();
  private @Nullable Writer out;
  private long bytes;

  /** A log in {@code folder}, begun. */
  public RunLog(Path folder) {
    this(folder, MOST_BYTES);
  }

  /**
   * A log whose files become no larger than {@code mostBytes}, except for the line that fills them.
   */
  RunLog(Path folder, long mostBytes) {
    this(folder.resolve(NAME), mostBytes, true);
  }

  private RunLog(Path file, long mostBytes, boolean begun) {
    this.file = file;
    this.mostBytes = mostBytes;
    if (begun) {
      begin();
    }
  }

  /** A log of a run that may still be refused: there is no file before {@link #begin}. */
  public static RunLog later(Path folder) {
    return new RunLog(folder.resolve(NAME), MOST_BYTES, false);
  }

  /** Opens the file and writes the lines that were held back; nothing where that has been done. */
  public synchronized void begin() {
    if (out != null) {
      return;
    }
    try {
      out = open();
      bytes = Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    held.forEach(this::write);
    held.clear();
  }

  /** Whether there is a file. */
  synchronized boolean begun() {
    return out != null;
  }

  private Writer open() throws IOException {
    RegularFile.require(file);
    return new OutputStreamWriter(
        Files.newOutputStream(
            file, StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS),
        StandardCharsets.UTF_8);
  }

  /** Writes one line with the time. A disk that is full does not end the run here. */
  public synchronized void line(String text) {
    LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS);
    String line = now + " " + text + System.lineSeparator();
    if (out == null) {
      held.add(line);
    } else {
      write(line);
    }
  }

  private void write(String line) {
    try {
      Writer to = bytes >= mostBytes ? rotated() : Files.exists(file) ? out : reopened();
      if (to != null) {
        to.write(line);
        to.flush();
        bytes += line.getBytes(StandardCharsets.UTF_8).length;
      }
    } catch (IOException | UserException e) {
      // what matters is reported by whoever cannot write it
    }
  }

  /** A new file where somebody has removed the one that is written. */
  private Writer reopened() throws IOException {
    Writer next = open();
    if (out != null) {
      out.close();
    }
    out = next;
    bytes = 0;
    return next;
  }

  private Writer rotated() throws IOException {
    if (out != null) {
      out.close();
    }
    for (int n = KEPT; n > 0; n--) {
      Path older = n == 1 ? file : file.resolveSibling(NAME + "." + (n - 1));
      if (Files.exists(older)) {
        Files.move(older, file.resolveSibling(NAME + "." + n), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Writer next = open();
    out = next;
    bytes = 0;
    return next;
  }

  /** Writes a failure with its stack; begins the log if necessary. */
  public synchronized void failure(String text, Throwable cause) {
    begin();
    line(text + System.lineSeparator() + OneLine.stack(cause));
  }

  @Override
  public synchronized void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      // every line was flushed before
    }
  }
}
