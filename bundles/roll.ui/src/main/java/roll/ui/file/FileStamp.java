package roll.ui.file;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that change when a file is written or replaced.
 *
 * @param size in bytes
 * @param time of the last write
 * @param key of the file in the file system, or null
 */
public record FileStamp(long size, FileTime time, @Nullable Object key) {
  /** Returns the stamp of a regular file; null where there is none, or it is a link. */
  public static @Nullable FileStamp of(Path file) {
    try {
      // no exception for a missing file, which most are
      BasicFileAttributes is =
          file.getFileSystem()
              .provider()
              .readAttributesIfExists(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return is != null && is.isRegularFile()
          ? new FileStamp(is.size(), is.lastModifiedTime(), is.fileKey())
          : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns the time of the last write, in ms since 1970. */
  public long modified() {
    return time.toMillis();
  }

  /** Returns whether this is the same file as {@code before}, and no shorter. */
  public boolean continues(@Nullable FileStamp before) {
    return before != null && Objects.equals(before.key(), key) && before.size() <= size;
  }
}
