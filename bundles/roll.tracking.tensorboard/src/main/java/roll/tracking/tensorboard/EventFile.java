package roll.tracking.tensorboard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import roll.api.option.UserException;

/**
 * A TFRecord file of TensorBoard events. A record is the length of the data (8 bytes,
 * little-endian), its masked CRC, the data and its masked CRC.
 */
final class EventFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;

  private EventFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Creates {@code events.out.tfevents.<seconds>.<host>.<process>.<n>} in {@code folder}, and the
   * folder if missing. TensorBoard reads the files of a folder in the order of their names.
   *
   * @throws UserException if it cannot be written
   */
  static EventFile create(Path folder, Instant now) {
    String name =
        "events.out.tfevents.%010d.%s.%d."
            .formatted(now.getEpochSecond(), host(), ProcessHandle.current().pid());
    try {
      Files.createDirectories(folder);
      int n = 0; // another run of this process may have started in the same second
      while (Files.exists(folder.resolve(name + n))) {
        n++;
      }
      Path path = folder.resolve(name + n);
      return new EventFile(
          path, FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be written: " + e, e);
    }
  }

  /** Writes one event at once, so that an open TensorBoard follows. */
  void append(byte[] event) {
    byte[] length = littleEndian(Long.BYTES).putLong(event.length).array();
    ByteBuffer record =
        littleEndian(Long.BYTES + Integer.BYTES + event.length + Integer.BYTES)
            .put(length)
            .putInt(MaskedCrc.masked(length))
            .put(event)
            .putInt(MaskedCrc.masked(event))
            .flip();
    try {
      while (record.hasRemaining()) {
        channel.write(record);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Forces all events to disk. */
  void force() {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    try (channel) {
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private UserException failed(IOException e) {
    return new UserException(path + ": cannot be written: " + e.getMessage(), e);
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
