package roll.ui.metric;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that others append to, and may cut short, replace or remove. Links are not followed: who
 * may write into the folder of a run could have another file shown.
 */
final class FollowedFile {
  private static final int TAIL = 256;

  private final Path path;
  private long size;
  private @Nullable FileTime modified;
  private @Nullable Object key;
  private byte[] tail = new byte[0];
  private long tailEnd;

  /** A file of which nothing is known yet; it need not be there. */
  FollowedFile(Path path) {
    this.path = path;
  }

  /** What has become of it. */
  enum Change {
    /** Nothing. */
    NONE,
    /** It may have more at its end. */
    GROWN,
    /** It is another file, or there was none before. */
    OTHER,
    /** It is not there, or no plain file. */
    GONE
  }

  /** Looks what has become of it since the last time. */
  Change look() throws IOException {
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return gone();
    }
    if (!now.isRegularFile()) {
      return gone();
    }
    Change change;
    if (modified == null || !Objects.equals(key, now.fileKey()) || now.size() < size) {
      change = Change.OTHER;
    } else if (now.size() == size && now.lastModifiedTime().equals(modified)) {
      change = Change.NONE;
    } else {
      change = Change.GROWN;
    }
    size = now.size();
    modified = now.lastModifiedTime();
    key = now.fileKey();
    return change;
  }

  private Change gone() {
    modified = null;
    size = 0;
    return Change.GONE;
  }

  /** Where it is. */
  Path path() {
    return path;
  }

  /** Bytes it had when it was last looked at. */
  long size() {
    return size;
  }

  /** When it was last written, as it was when it was last looked at; null if it was not there. */
  @Nullable FileTime modified() {
    return modified;
  }

  /** Opens it for reading. */
  FileChannel open() throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /** Remembers what is before the offset {@code end}, up to which it was read. */
  void remember(FileChannel channel, long end) throws IOException {
    tail = before(channel, end);
    tailEnd = end;
  }

  /** Whether what was read last is still there. */
  boolean holds(FileChannel channel) throws IOException {
    return Arrays.equals(tail, before(channel, tailEnd));
  }

  /** Forgets what was read. */
  void forget() {
    tail = new byte[0];
    tailEnd = 0;
  }

  private static byte[] before(FileChannel channel, long end) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(TAIL, end));
    long from = end - bytes.capacity();
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, from + bytes.position()) < 0) {
        break;
      }
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
