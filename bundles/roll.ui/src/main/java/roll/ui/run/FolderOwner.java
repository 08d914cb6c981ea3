package roll.ui.run;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileBytes;
import roll.ui.file.FileStamp;

/** The file {@code .owner} of a folder, {@code <process> on <host> since <time>}. */
final class FolderOwner {
  private static final Pattern OWNER = Pattern.compile("(\\d{1,18}) on (\\S+) since \\S+");
  private static final int MAX_BYTES = 512;

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
    return here && ProcessHandle.of(Long.parseLong(owner.group(1))).isEmpty()
        ? null
        : "pid " + text;
  }
}
