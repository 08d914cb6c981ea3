package roll.tracking.wandb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * A {@code .wandb} file: LevelDB's log format after a header of W&amp;B, with CRC-32 checksums of
 * type and content. A record that exceeds a block of 32 KiB is split.
 */
final class RecordLog implements AutoCloseable {
  private static final int BLOCK = 32_768;
  private static final int HEAD = 7;
  private static final byte[] BEGIN = {':', 'W', '&', 'B', (byte) 0xE1, (byte) 0xBE, 0};
  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;

  private final FileChannel file;

  /** Offset of the last record found in the log. */
  private long last;

  /** Continues after the complete records of {@code path}, which is created if missing. */
  RecordLog(Path path) throws IOException {
    file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (file.size() < HEAD) {
        file.truncate(0);
        write(ByteBuffer.wrap(BEGIN));
        last = HEAD;
      } else {
        long end = completeRecords();
        file.truncate(end);
        file.position(end);
      }
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private long completeRecords() throws IOException {
    long at = HEAD;
    long end = HEAD;
    last = HEAD;
    while (true) {
      long room = BLOCK - at % BLOCK;
      at += room < HEAD ? room : 0;
      ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
      if (file.read(head, at) < HEAD) {
        return end;
      }
      int type = head.get(6);
      long next = at + HEAD + (head.getShort(4) & 0xFFFF);
      if (next > file.size() || type < FULL || type > LAST) {
        return end;
      }
      if (type == FULL || type == FIRST) {
        last = at;
      }
      at = next;
      if (type == FULL || type == LAST) {
        end = next;
      }
    }
  }

  /** Removes the last record if its content begins with {@code begin}. */
  void dropLast(byte... begin) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(begin.length);
    if (file.read(content, last + HEAD) == begin.length && Arrays.equals(content.array(), begin)) {
      file.truncate(last);
      file.position(last);
    }
  }

  void append(byte[] record) throws IOException {
    int from = 0;
    do {
      int room = (int) (BLOCK - file.position() % BLOCK);
      if (room < HEAD) {
        write(ByteBuffer.allocate(room));
        room = BLOCK;
      }
      int length = Math.min(record.length - from, room - HEAD);
      boolean ends = from + length == record.length;
      int type = from == 0 ? ends ? FULL : FIRST : ends ? LAST : MIDDLE;
      piece(record, from, length, type);
      from += length;
    } while (from < record.length);
  }

  private void piece(byte[] record, int from, int length, int type) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(type);
    sum.update(record, from, length);
    ByteBuffer piece = ByteBuffer.allocate(HEAD + length).order(ByteOrder.LITTLE_ENDIAN);
    piece.putInt((int) sum.getValue()).putShort((short) length).put((byte) type);
    write(piece.put(record, from, length).flip());
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      var unused = file.write(bytes);
    }
  }

  void flush() throws IOException {
    file.force(false);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
