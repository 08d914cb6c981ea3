package roll.ui.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Reads parts of files of any size. Links are not followed. */
public final class FileBytes {
  private FileBytes() {}

  /** Opens {@code file} for reading. */
  public static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the first {@code max} bytes, or all. */
  public static byte[] head(Path file, int max) throws IOException {
    try (FileChannel channel = open(file)) {
      return read(channel, 0, max);
    }
  }

  /** Returns the last {@code max} bytes, or all. */
  public static byte[] tail(Path file, int max) throws IOException {
    try (FileChannel channel = open(file)) {
      return read(channel, Math.max(0, channel.size() - max), max);
    }
  }

  /** Returns at max {@code max} bytes from offset {@code from}. */
  public static byte[] read(FileChannel channel, long from, int max) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, Math.min(max, channel.size() - from)));
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // until it is full, or the file is shorter than it was
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
