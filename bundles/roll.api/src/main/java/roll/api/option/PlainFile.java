package roll.api.option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that others made: what has the name of one may be a named pipe or a device, whose reading
 * waits or never ends.
 */
public final class PlainFile {
  private static final int MOST = 64 << 20;

  private PlainFile() {}

  /**
   * {@code file}, if it is one or is not there.
   *
   * @throws UserException if it is something else
   */
  public static Path require(Path file) {
    if (Files.isDirectory(file)) {
      throw new UserException(file + ": is a folder, expected a file");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new UserException(file + ": is a named pipe or a device, expected a file");
    }
    return file;
  }

  /**
   * The bytes of {@code file}, which is at most 64 MB.
   *
   * @throws UserException if it is no file or larger
   * @throws IOException if it cannot be read
   */
  public static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(require(file))) {
      byte[] bytes = in.readNBytes(MOST);
      if (bytes.length == MOST && in.read() >= 0) {
        throw new UserException(
            "%s: is larger than %d MB, the most that is read".formatted(file, MOST >> 20));
      }
      return bytes;
    }
  }

  /**
   * The text of {@code file}, which is at most 64 MB.
   *
   * @throws UserException if it is no file or larger
   * @throws IOException if it cannot be read or is not UTF-8
   */
  public static String text(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(bytes(file));
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }
}
