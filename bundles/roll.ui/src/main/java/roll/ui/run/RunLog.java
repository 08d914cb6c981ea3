package roll.ui.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileBytes;
import roll.ui.file.FileStamp;

/** Reads the files {@code run.log} of a run; full ones are numbered, 1 being the newest. */
final class RunLog {
  /** Name of the log file that is currently written. */
  static final String NAME = "run.log";

  private static final int NUMBERED = 5;

  /** Maximum bytes read from the end of each log file. */
  private static final int MAX_BYTES = 1 << 20;

  private static final int MAX_LINE = 4_000;
  private static final int MAX_FAILURE = 500;
  private static final int HEAD = 256;

  /** Bytes at the end that contain the last line with a time, which a stack trace may follow. */
  private static final int[] TAILS = {1 << 10, 64 << 10};

  private static final Pattern END =
      Pattern.compile(
          "(?s)(?<failed>failed|refused: ).*|ended after step (?<step>\\d{1,9})|ended.*");

  private RunLog() {}

  /**
   * A line that begins with a time in the zone of this machine.
   *
   * @param time as written
   * @param text after it
   */
  record Line(String time, String text) {
    private static final int MIN_TIME = 16;
    private static final int MAX_TIME = 30;

    /** Returns the parts of {@code line}; null where it has no time, as in a stack trace. */
    static @Nullable Line of(String line) {
      int end = line.indexOf(' ', MIN_TIME);
      boolean timed = end > 0 && end < MAX_TIME && line.charAt(4) == '-' && line.charAt(10) == 'T';
      return timed ? new Line(line.substring(0, end), line.substring(end + 1)) : null;
    }

    /** Returns the run log line's time in ms since 1970; null if it is invalid. */
    @Nullable Long millis() {
      try {
        return LocalDateTime.parse(time).atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
      } catch (DateTimeException e) {
        return null;
      }
    }
  }

  /**
   * When a run began and how it ended, by the first and the last line of its log.
   *
   * @param started ms since 1970, or null
   * @param ended ms since 1970; null where the log does not end with the end of the run
   * @param steps completed at its end; −1 if unknown
   * @param failure why it was refused or failed, or null
   */
  record Ends(@Nullable Long started, @Nullable Long ended, int steps, @Nullable String failure) {
    /** The ends of a run without a log. */
    static final Ends NONE = new Ends(null, null, -1, null);
  }

  /** Returns all possible files of the run log. */
  static List<Path> oldestFirst(Path folder) {
    List<Path> files = new ArrayList<>();
    for (int n = NUMBERED; n > 0; n--) {
      files.add(folder.resolve(NAME + "." + n));
    }
    files.add(folder.resolve(NAME));
    return files;
  }

  /** Returns the ends of the run in {@code folder}. */
  static Ends ends(Path folder) throws IOException {
    Path oldest = null;
    for (Path file : oldestFirst(folder).reversed()) {
      if (FileStamp.of(file) == null) {
        break;
      }
      oldest = file;
    }
    if (oldest == null) {
      return Ends.NONE;
    }
    Line first = Line.of(text(FileBytes.head(oldest, HEAD)));
    Long started = first == null ? null : first.millis();
    for (int tail : TAILS) {
      for (String one :
          text(FileBytes.tail(folder.resolve(NAME), tail)).lines().toList().reversed()) {
        Line line = Line.of(one);
        if (line != null) {
          return ends(started, line);
        }
      }
    }
    return new Ends(started, null, -1, null);
  }

  private static Ends ends(@Nullable Long started, Line last) {
    Matcher end = END.matcher(last.text().strip());
    if (!end.matches()) {
      return new Ends(started, null, -1, null);
    }
    String step = end.group("step");
    return new Ends(
        started,
        last.millis(),
        step == null ? -1 : Integer.parseInt(step),
        end.group("failed") == null ? null : cut(end.group(), MAX_FAILURE));
  }

  /** Returns the last {@code max} lines of the run in {@code folder}; long lines are cut. */
  static List<String> last(Path folder, int max) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : oldestFirst(folder).reversed()) {
      if (lines.size() >= max || FileStamp.of(file) == null) {
        break;
      }
      lines.addAll(0, lines(file));
    }
    return List.copyOf(lines.subList(Math.max(0, lines.size() - max), lines.size()));
  }

  private static List<String> lines(Path file) throws IOException {
    byte[] tail = FileBytes.tail(file, MAX_BYTES);
    String text = text(tail);
    if (tail.length == MAX_BYTES) {
      text = text.substring(text.indexOf('\n') + 1); // its first line is incomplete
    }
    return text.lines().map(line -> cut(line, MAX_LINE)).map(String::stripTrailing).toList();
  }

  private static String cut(String line, int max) {
    return line.length() > max ? line.substring(0, max) + " …" : line;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
