package roll.ui.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * By what a file is seen to have changed.
 *
 * @param size in bytes
 * @param time when it was last written
 * @param key what the system knows it by, or null
 */
public record Stamp(long size, FileTime time, @Nullable Object key) {
  /** Of a plain file; null where there is none, or it is a link. */
  public static @Nullable Stamp of(Path file) {
    try {
      BasicFileAttributes is =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return is.isRegularFile() ? new Stamp(is.size(), is.lastModifiedTime(), is.fileKey()) : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** When it was last written, ms since 1970. */
  public long modified() {
    return time.toMillis();
  }

  /** Whether this is of the file that {@code before} was of, no shorter than it was. */
  public boolean continues(@Nullable Stamp before) {
    return before != null && Objects.equals(before.key(), key) && before.size() <= size;
  }
}
