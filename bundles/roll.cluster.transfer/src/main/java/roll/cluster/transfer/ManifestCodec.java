package roll.cluster.transfer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import roll.cluster.transfer.wire.TransferCodec;

/** Manifests as bytes, without digests. */
final class ManifestCodec {
  private ManifestCodec() {}

  /**
   * The bytes.
   *
   * @throws IllegalArgumentException if there are more than a message can have
   */
  static byte[] write(Manifest manifest) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream to = new DataOutputStream(bytes);
      to.writeUTF(manifest.id().channel());
      to.writeLong(manifest.id().epoch());
      to.writeLong(manifest.id().number());
      to.writeInt(manifest.chunkBytes());
      to.writeInt(manifest.parts().size());
      for (TransferPart part : manifest.parts()) {
        to.writeUTF(part.name());
        to.writeUTF(part.format());
        to.writeLong(part.bytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (bytes.size() > TransferCodec.ANSWERED) {
      throw new IllegalArgumentException("a manifest of " + bytes.size() + " bytes");
    }
    return bytes.toByteArray();
  }

  /**
   * What somebody sent.
   *
   * @throws IOException if it is no manifest
   */
  static Manifest read(byte[] bytes) throws IOException {
    DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      VersionId id = new VersionId(from.readUTF(), from.readLong(), from.readLong());
      int chunkBytes = from.readInt();
      int count = from.readInt();
      List<TransferPart> parts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        parts.add(new TransferPart(from.readUTF(), from.readUTF(), from.readLong()));
      }
      if (from.read() >= 0) {
        throw new IOException("a manifest came with more than it says");
      }
      return new Manifest(id, parts, chunkBytes);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("no manifest: " + e.getMessage(), e);
    }
  }
}
