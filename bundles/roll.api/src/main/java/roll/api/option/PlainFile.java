package roll.api.option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads regular files: a path given by a user may be a named pipe or a device, and reading it may
 * block or never end.
 */
public final class PlainFile {
  private static final int MOST = 64 << 20;

  private PlainFile() {}

  /**
   * Returns {@code file} if it is a regular file or does not exist; refuses it otherwise.
   *
   * @throws UserException if it is a folder, a named pipe or a device
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
   * Reads the bytes of the regular file {@code file}.
   *
   * @throws UserException if it is not a regular file or larger than 64 MB
   * @throws IOException if it cannot be read
   */
  public static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(require(file))) {
      byte[] bytes = in.readNBytes(MOST);
      if (bytes.length == MOST && in.read() >= 0) {
        throw new UserException(
            "%s: is larger than the limit of %d MB".formatted(file, MOST >> 20));
      }
      return bytes;
    }
  }

  /**
   * Reads the regular file {@code file} as UTF-8 text.
   *
   * @throws UserException if it is not a regular file or larger than 64 MB
   * @throws IOException if it cannot be read or is not UTF-8
   */
  public static String text(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(bytes(file));
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }
}
