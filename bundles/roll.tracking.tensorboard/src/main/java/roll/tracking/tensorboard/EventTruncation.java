package roll.tracking.tensorboard;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import roll.api.option.UserException;

/** The event files of a resumed run. */
final class EventTruncation {
  private static final String PREFIX = "events.out.tfevents.";
  private static final int HEAD = Long.BYTES + Integer.BYTES;
  private static final int STEP = 2;

  /** Maximum length of a record; a longer one is incomplete. */
  private static final long MOST = 1 << 28;

  private EventTruncation() {}

  /**
   * Truncates every event file of {@code folder} before its first event of {@code firstStep} or
   * later, and before an incomplete record. Steps increase within a file.
   *
   * @throws UserException if the folder cannot be written
   */
  static void cutBack(Path folder, int firstStep) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try {
      List<Path> files;
      try (Stream<Path> entries = Files.list(folder)) {
        files = entries.filter(f -> f.getFileName().toString().startsWith(PREFIX)).toList();
      }
      for (Path file : files) {
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          channel.truncate(end(channel, firstStep));
        }
      }
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be cut back to step " + firstStep + ": " + e, e);
    }
  }

  /** Returns the offset of the first event to remove. */
  private static long end(FileChannel channel, int firstStep) throws IOException {
    long at = 0;
    while (true) {
      ByteBuffer head = read(channel, at, HEAD);
      long length = head.remaining() < HEAD ? -1 : head.getLong();
      if (length < 0 || length > MOST) {
        return at;
      }
      int whole = (int) length + Integer.BYTES;
      ByteBuffer data = read(channel, at + HEAD, whole);
      if (data.remaining() < whole) {
        return at;
      }
      byte[] event = new byte[(int) length];
      data.get(event);
      if (MaskedCrc.masked(event) != data.getInt() || step(event) >= firstStep) {
        return at;
      }
      at += HEAD + whole;
    }
  }

  private static ByteBuffer read(FileChannel channel, long at, int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(most).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) >= 0) {
      // reads on
    }
    return bytes.flip();
  }

  /** Returns the step of an event; −1 for the file version, which has none. */
  private static long step(byte[] event) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(event);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == STEP) {
        return in.readInt64();
      }
      in.skipField(tag);
    }
    return -1;
  }
}
