package roll.core.output;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** One log file, which is rotated when it has grown; older ones are kept beside it. */
final class LogFile implements AutoCloseable {
  private static final int KEPT = 5;

  private final Path file;
  private final long mostBytes;
  private @Nullable Writer out;
  private long bytes;

  /** Creates the log file {@code file} with a maximum size, except for the line that fills it. */
  LogFile(Path file, long mostBytes) {
    this.file = file;
    this.mostBytes = mostBytes;
  }

  /** Opens the log file. */
  void begin() throws IOException {
    out = open();
    bytes = Files.size(file);
  }

  private Writer open() throws IOException {
    RegularFile.require(file);
    return new OutputStreamWriter(
        Files.newOutputStream(
            file, StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS),
        StandardCharsets.UTF_8);
  }

  /** Writes {@code line} and a line end to the log file. */
  void write(String line) {
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

  /** Opens a new log file if the current one was removed. */
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
      Path older = n == 1 ? file : numbered(n - 1);
      if (Files.exists(older)) {
        Files.move(older, numbered(n), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Writer next = open();
    out = next;
    bytes = 0;
    return next;
  }

  private Path numbered(int n) {
    return file.resolveSibling(file.getFileName() + "." + n);
  }

  @Override
  public void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      // every line was flushed before
    }
  }
}
