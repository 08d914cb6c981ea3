package roll.tracking.wandb;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a protocol buffers message. */
final class ProtoBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private void varint(long value) {
    long left = value;
    while ((left & ~0x7FL) != 0) {
      bytes.write((int) ((left & 0x7F) | 0x80));
      left >>>= 7;
    }
    bytes.write((int) left);
  }

  /** Writes an integer field. */
  ProtoBytes number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  /** Adds a text field; an empty text is the default and is left out. */
  ProtoBytes text(int field, String text) {
    return text.isEmpty() ? this : bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a nested message field. */
  ProtoBytes message(int field, ProtoBytes message) {
    return bytes(field, message.toBytes());
  }

  private ProtoBytes bytes(int field, byte[] content) {
    varint((long) field << 3 | 2);
    varint(content.length);
    bytes.writeBytes(content);
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
