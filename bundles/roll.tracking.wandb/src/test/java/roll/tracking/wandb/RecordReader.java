package roll.tracking.wandb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.NullMarked;

/** Reads {@code .wandb} files as wandb/wandb@0552ec8:wandb/sdk/internal/datastore.py does. */
@NullMarked
final class RecordReader {
  private static final int BLOCK = 32_768;

  private RecordReader() {}

  /** The records of {@code file}. */
  static List<byte[]> read(Path file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    byte[] ident = new byte[4];
    in.get(ident);
    assertEquals(":W&B", new String(ident, StandardCharsets.US_ASCII));
    assertEquals((short) 0xBEE1, in.getShort());
    assertEquals(0, in.get());
    List<byte[]> records = new ArrayList<>();
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    while (in.hasRemaining()) {
      int room = BLOCK - in.position() % BLOCK;
      if (room < 7) {
        in.position(in.position() + room);
        continue;
      }
      int checksum = in.getInt();
      byte[] data = new byte[in.getShort() & 0xFFFF];
      int type = in.get();
      in.get(data);
      CRC32 sum = new CRC32();
      sum.update(type);
      sum.update(data);
      assertEquals((int) sum.getValue(), checksum);
      record.writeBytes(data);
      if (type == 1 || type == 4) {
        records.add(record.toByteArray());
        record.reset();
      }
    }
    assertEquals(0, record.size(), "the last record is whole");
    return records;
  }

  /** The fields of a message, one a line, those of messages inside in braces. */
  static String shown(byte[] message, boolean items) {
    ByteBuffer in = ByteBuffer.wrap(message);
    StringBuilder text = new StringBuilder();
    while (in.hasRemaining()) {
      long tag = varint(in);
      text.append(tag >> 3).append(": ");
      if ((tag & 7) == 0) {
        text.append(varint(in)).append('\n');
        continue;
      }
      byte[] content = new byte[(int) varint(in)];
      in.get(content);
      boolean inside = items && message(content);
      text.append(
          inside
              ? "{\n" + shown(content, true).indent(2) + "}\n"
              : new String(content, StandardCharsets.UTF_8) + "\n");
    }
    return text.toString();
  }

  /** Whether {@code content} can be a message; texts here begin with no small number. */
  private static boolean message(byte[] content) {
    return content.length > 1 && (content[0] < 0x20 || content[0] == (byte) 0x82);
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
