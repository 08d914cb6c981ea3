package roll.ui.run;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A line of {@code run.log} that begins with a time, in the zone of this machine.
 *
 * @param time as it is written
 * @param text behind it
 */
record LoggedLine(String time, String text) {
  private static final int SHORTEST = 16;
  private static final int LONGEST = 30;

  /** That of {@code line}; null where it has no time, as the lines of a stack. */
  static @Nullable LoggedLine of(String line) {
    int end = line.indexOf(' ', SHORTEST);
    boolean timed = end > 0 && end < LONGEST && line.charAt(4) == '-' && line.charAt(10) == 'T';
    return timed ? new LoggedLine(line.substring(0, end), line.substring(end + 1)) : null;
  }

  /** Its time in ms since 1970; null where it is none. */
  @Nullable Long millis() {
    try {
      return LocalDateTime.parse(time).atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
