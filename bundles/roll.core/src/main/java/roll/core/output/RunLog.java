package roll.core.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.RunConfig;
import roll.text.OneLine;

/**
 * The log file {@code run.log} of a run: plugins of each step, durations, and failures. A file that
 * has grown to 10 MB becomes {@code run.log.1}, that one {@code run.log.2}, and so on to 5. Where
 * the run has a folder for logs, the same is written there.
 */
public final class RunLog implements AutoCloseable {
  /** File name of the run's log. */
  public static final String NAME = "run.log";

  private static final long MOST_BYTES = 10_000_000;

  private final LogFile file;
  private final @Nullable Path elsewhere;
  private final long mostBytes;
  private final List<String> held = new ArrayList<>();
  private @Nullable LogFile copy;
  private boolean begun;

  /** Opens the log of a run in {@code folder}. */
  public RunLog(Path folder) {
    this(folder, MOST_BYTES);
  }

  /**
   * A log whose files become no larger than {@code mostBytes}, except for the line that fills them.
   */
  RunLog(Path folder, long mostBytes) {
    this(folder, null, mostBytes);
    begin();
  }

  private RunLog(Path folder, @Nullable Path elsewhere, long mostBytes) {
    file = new LogFile(folder.resolve(NAME), mostBytes);
    this.elsewhere = elsewhere;
    this.mostBytes = mostBytes;
  }

  /** A log of a run that may still be refused: there is no file before {@link #begin}. */
  public static RunLog later(Path folder) {
    return new RunLog(folder, null, MOST_BYTES);
  }

  /** The same in {@code folder}, the output folder of {@code run}, and in its folder for logs. */
  public static RunLog later(Path folder, RunConfig run) {
    return new RunLog(folder, run.places().log(), MOST_BYTES);
  }

  /**
   * Opens the file and writes the lines that were held back; nothing where that has been done.
   *
   * @throws UserException if the folder for logs cannot be written
   */
  public synchronized void begin() {
    if (begun) {
      return;
    }
    if (elsewhere != null) {
      copy = beside(elsewhere);
    }
    beginFile();
  }

  private void beginFile() {
    try {
      file.begin();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    begun = true;
    held.forEach(this::write);
    held.clear();
  }

  private LogFile beside(Path folder) {
    LogFile second = new LogFile(folder.resolve(NAME), mostBytes);
    try {
      Files.createDirectories(folder);
      second.begin();
    } catch (IOException e) {
      throw new UserException(
          "logging_dir: " + folder + " cannot be written (" + IoReason.of(e) + ")", e);
    }
    return second;
  }

  /** Whether the log file exists. */
  synchronized boolean begun() {
    return begun;
  }

  /**
   * Writes one line with the time to the log of the run. A disk that is full does not end the run
   * here.
   */
  public synchronized void line(String text) {
    LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS);
    String line = now + " " + text + System.lineSeparator();
    if (begun) {
      write(line);
    } else {
      held.add(line);
    }
  }

  private void write(String line) {
    file.write(line);
    if (copy != null) {
      copy.write(line);
    }
  }

  /** Writes a failure with its stack; begins the log if necessary, in the output folder alone. */
  public synchronized void failure(String text, Throwable cause) {
    if (!begun) {
      beginFile();
    }
    line(text + System.lineSeparator() + OneLine.stack(cause));
  }

  @Override
  public synchronized void close() {
    file.close();
    if (copy != null) {
      copy.close();
    }
  }
}
