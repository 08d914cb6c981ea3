package roll.ui.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * By what a file is seen to have changed.
 *
 * @param size in bytes
 * @param modified ms since 1970
 * @param key what the system knows it by, or null
 */
record Stamp(long size, long modified, @Nullable Object key) {
  /** Of a plain file; null where there is none, or it is a link. */
  static @Nullable Stamp of(Path file) {
    try {
      BasicFileAttributes is =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return is.isRegularFile()
          ? new Stamp(is.size(), is.lastModifiedTime().toMillis(), is.fileKey())
          : null;
    } catch (IOException e) {
      return null;
    }
  }
}
