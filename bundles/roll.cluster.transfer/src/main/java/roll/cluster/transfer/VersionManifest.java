package roll.cluster.transfer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Content of a version: its parts one after the other, divided into chunks of one size, of which
 * the last may be shorter.
 *
 * @param chunkBytes size of a chunk, from 1 KiB to 64 MiB
 */
public record VersionManifest(VersionId id, List<TransferPart> parts, int chunkBytes) {
  /** Number of chunks, unless they would be too small or too large. */
  private static final int CHUNKS = 128;

  private static final int MIN_DEFAULT = 1 << 20;
  private static final int MAX_DEFAULT = 1 << 24;
  private static final int MIN_CHUNK = 1 << 10;
  private static final int MAX_CHUNK = 1 << 26;
  private static final int MAX_COUNT = 1 << 20;

  /**
   * Creates a manifest.
   *
   * @throws IllegalArgumentException if there is no byte, the size of chunks is out of range, or
   *     there would be more than 2²⁰ chunks or parts
   */
  public VersionManifest {
    parts = List.copyOf(parts);
    if (chunkBytes < MIN_CHUNK || chunkBytes > MAX_CHUNK) {
      throw new IllegalArgumentException("chunks of " + chunkBytes + " bytes");
    }
    long all = size(parts);
    if (all == 0 || (all - 1) / chunkBytes >= MAX_COUNT || parts.size() > MAX_COUNT) {
      throw new IllegalArgumentException(
          all + " bytes in " + parts.size() + " parts and chunks of " + chunkBytes);
    }
  }

  /**
   * Creates a manifest with chunks of 1 to 16 MiB, about 128 of them if possible: a node serves a
   * chunk when it has all of it.
   */
  public VersionManifest(VersionId id, List<TransferPart> parts) {
    this(id, parts, Math.clamp(Long.highestOneBit(size(parts) / CHUNKS), MIN_DEFAULT, MAX_DEFAULT));
  }

  private static long size(List<TransferPart> parts) {
    long all = 0;
    for (TransferPart part : parts) {
      all = Math.addExact(all, part.bytes());
    }
    return all;
  }

  /** Returns the size of all parts in bytes. */
  public long bytes() {
    return size(parts);
  }

  /** Returns the number of chunks, at least 1. */
  public int chunks() {
    return (int) ((bytes() - 1) / chunkBytes) + 1;
  }

  /** Returns the offset of chunk {@code index}. */
  public long at(int index) {
    return (long) index * chunkBytes;
  }

  /** Returns the size of chunk {@code index} in bytes. */
  public int length(int index) {
    return (int) Math.min(chunkBytes, bytes() - at(index));
  }

  /** Writes the manifest of the version to the stream. */
  void write(DataOutputStream to) throws IOException {
    id.write(to);
    to.writeInt(chunkBytes);
    to.writeInt(parts.size());
    for (TransferPart part : parts) {
      to.writeUTF(part.name());
      to.writeUTF(part.format());
      to.writeLong(part.bytes());
    }
  }

  /**
   * Reads a version manifest from the stream.
   *
   * @throws IOException if it is invalid
   */
  static VersionManifest read(DataInputStream from) throws IOException {
    try {
      VersionId id = VersionId.read(from);
      int chunkBytes = from.readInt();
      int count = from.readInt();
      List<TransferPart> parts = new ArrayList<>();
      for (int i = 0; i < count && i <= MAX_COUNT; i++) {
        parts.add(new TransferPart(from.readUTF(), from.readUTF(), from.readLong()));
      }
      return new VersionManifest(id, parts, chunkBytes);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("no manifest: " + e.getMessage(), e);
    }
  }
}
