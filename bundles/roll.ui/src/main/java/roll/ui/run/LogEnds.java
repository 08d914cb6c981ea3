package roll.ui.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileEnds;
import roll.ui.file.Stamp;

/**
 * The first and the last line of a run's log, which say when it ran and how it ended.
 *
 * @param started ms since 1970, or null
 * @param ended ms since 1970; null where the log does not say that it ended
 * @param steps that were complete at its end; −1 where the log does not tell
 * @param failure why it was refused or failed, or null
 */
record LogEnds(@Nullable Long started, @Nullable Long ended, int steps, @Nullable String failure) {
  private static final int HEAD = 256;

  /** Of what follows the last line with a time, which is a stack. */
  private static final int TAIL = 64 << 10;

  private static final List<String> FAILURES = List.of("failed", "refused: ");
  private static final String AFTER = "ended after step ";
  private static final int MOST_DIGITS = 9;

  /** Nothing is known. */
  static final LogEnds NONE = new LogEnds(null, null, -1, null);

  /** Of the run in {@code folder}. */
  static LogEnds read(Path folder) throws IOException {
    Long started = null;
    for (Path file : LogFiles.oldestFirst(folder)) {
      if (started == null && Stamp.of(file) != null) {
        LoggedLine first = LoggedLine.of(text(FileEnds.head(file, HEAD)));
        started = first == null ? null : first.millis();
      }
    }
    Path log = folder.resolve(LogFiles.NAME);
    return Stamp.of(log) == null
        ? new LogEnds(started, null, -1, null)
        : last(text(FileEnds.tail(log, TAIL)), started);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** By the last line with a time; what is behind it is a stack. */
  private static LogEnds last(String tail, @Nullable Long started) {
    for (String one : tail.lines().toList().reversed()) {
      LoggedLine logged = LoggedLine.of(one);
      if (logged != null) {
        String line = logged.text().strip();
        boolean failed = FAILURES.stream().anyMatch(line::startsWith);
        return failed || line.startsWith("ended")
            ? new LogEnds(started, logged.millis(), steps(line), failed ? line : null)
            : new LogEnds(started, null, -1, null);
      }
    }
    return new LogEnds(started, null, -1, null);
  }

  private static int steps(String line) {
    String number = line.startsWith(AFTER) ? line.substring(AFTER.length()) : "";
    boolean plain =
        !number.isEmpty()
            && number.length() <= MOST_DIGITS
            && number.chars().allMatch(c -> c >= '0' && c <= '9');
    return plain ? Integer.parseInt(number) : -1;
  }
}
