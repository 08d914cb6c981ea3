package roll.ui.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Pieces of files of any size. Links are not followed. */
public final class FileEnds {
  private FileEnds() {}

  /** Opens {@code file} for reading. */
  public static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /** The first {@code most} bytes, or all. */
  public static byte[] head(Path file, int most) throws IOException {
    try (FileChannel channel = open(file)) {
      return read(channel, 0, most);
    }
  }

  /** The last {@code most} bytes, or all. */
  public static byte[] tail(Path file, int most) throws IOException {
    try (FileChannel channel = open(file)) {
      return read(channel, Math.max(0, channel.size() - most), most);
    }
  }

  /** At most {@code most} bytes from {@code from} on. */
  public static byte[] read(FileChannel channel, long from, int most) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate((int) Math.max(0, Math.min(most, channel.size() - from)));
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // until it is full, or the file is shorter than it was
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
