package roll.core;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/** The run's own log file, {@code run.log}: what served which step, how long, what went wrong. */
final class RunLog implements AutoCloseable {
  /** Name of the file. */
  static final String NAME = "run.log";

  private final PrintWriter out;

  RunLog(Path folder) {
    try {
      out =
          new PrintWriter(
              Files.newBufferedWriter(
                  folder.resolve(NAME),
                  StandardCharsets.UTF_8,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND),
              true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes one line with the time. */
  synchronized void line(String text) {
    out.println(
        LocalDateTime.now(java.time.ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS)
            + " "
            + text);
  }

  /** Writes a failure with its stack. */
  synchronized void failure(String text, Throwable cause) {
    line(text);
    cause.printStackTrace(out);
  }

  @Override
  public void close() {
    out.close();
  }
}
