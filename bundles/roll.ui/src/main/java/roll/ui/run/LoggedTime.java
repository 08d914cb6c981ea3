package roll.ui.run;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The time with which a line of {@code run.log} begins, in the zone of this machine. */
final class LoggedTime {
  private static final int SHORTEST = 16;
  private static final int LONGEST = 30;

  private LoggedTime() {}

  /**
   * Where the text of a line begins, behind its time and a blank; −1 where it has no time, as the
   * lines of a stack.
   */
  static int text(byte[] bytes, int start, int length) {
    if (length <= SHORTEST || bytes[start + 4] != '-' || bytes[start + 10] != 'T') {
      return -1;
    }
    int end = start + Math.min(length, LONGEST);
    for (int i = start + SHORTEST; i < end; i++) {
      if (bytes[i] == ' ') {
        return i + 1;
      }
    }
    return -1;
  }

  /** The time before {@code text}, ms since 1970; null where it is none. */
  static @Nullable Long of(byte[] bytes, int start, int text) {
    try {
      String time = new String(bytes, start, text - 1 - start, StandardCharsets.US_ASCII);
      return LocalDateTime.parse(time).atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
