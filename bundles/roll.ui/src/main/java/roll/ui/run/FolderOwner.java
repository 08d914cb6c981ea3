package roll.ui.run;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileBytes;
import roll.ui.file.FileStamp;

/** The file {@code .owner} of a folder, {@code <process> on <host> since <time>}. */
final class FolderOwner {
  private static final Pattern OWNER = Pattern.compile("(\\d{1,18}) on (\\S+) since (\\S+)");
  private static final int MAX_BYTES = 512;

  /** The system's clock may have been set since. */
  private static final Duration TOLERANCE = Duration.ofMinutes(1);

  private FolderOwner() {}

  /**
   * Returns a line on the process that owns {@code folder}; null where none does or it has ended.
   */
  static @Nullable String line(Path folder) throws IOException {
    Path file = folder.resolve(".owner");
    if (FileStamp.of(file) == null) {
      return null;
    }
    String text = new String(FileBytes.head(file, MAX_BYTES), StandardCharsets.UTF_8).strip();
    Matcher owner = OWNER.matcher(text);
    if (!owner.matches()) {
      return null;
    }
    boolean here = owner.group(2).equals(InetAddress.getLocalHost().getHostName());
    return here && !lives(Long.parseLong(owner.group(1)), owner.group(3)) ? null : "pid " + text;
  }

  /** Whether a process has the number {@code pid} since about {@code begin}: numbers are reused. */
  private static boolean lives(long pid, String begin) {
    ProcessHandle process = ProcessHandle.of(pid).orElse(null);
    Instant start = process == null ? null : process.info().startInstant().orElse(null);
    if (process == null || start == null) {
      return process != null;
    }
    try {
      Instant since = LocalDateTime.parse(begin).atZone(ZoneId.systemDefault()).toInstant();
      return Duration.between(since, start).abs().compareTo(TOLERANCE) < 0;
    } catch (DateTimeException e) {
      return true;
    }
  }
}
