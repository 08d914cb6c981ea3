package roll.cluster.transfer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a version consists of: its parts one behind the other, cut into chunks of one size of which
 * the last may be shorter.
 */
public final class Manifest {
  /** Chunks of a version are about so many, unless they would be too small or too large. */
  private static final int CHUNKS = 128;

  private static final int FEW_BYTES = 1 << 20;
  private static final int MANY_BYTES = 1 << 24;

  private static final int SMALLEST = 1 << 10;
  private static final int LARGEST = 1 << 26;
  private static final int MOST = 1 << 20;

  private final VersionId id;
  private final List<TransferPart> parts;
  private final int chunkBytes;
  private final long bytes;

  /**
   * A manifest with chunks of 1 to 16 MiB, about 128 of them where that fits: a node passes a chunk
   * on when it has all of it.
   */
  public Manifest(VersionId id, List<TransferPart> parts) {
    this(id, parts, chunkBytes(parts));
  }

  private static int chunkBytes(List<TransferPart> parts) {
    long all = parts.stream().mapToLong(TransferPart::bytes).sum();
    return Math.clamp(Long.highestOneBit(all / CHUNKS), FEW_BYTES, MANY_BYTES);
  }

  /**
   * A manifest.
   *
   * @param chunkBytes from 1 KiB to 64 MiB
   * @throws IllegalArgumentException if there is no byte, chunks have another size, or there would
   *     be more than 2²⁰ of them or of the parts
   */
  public Manifest(VersionId id, List<TransferPart> parts, int chunkBytes) {
    this.id = id;
    this.parts = List.copyOf(parts);
    this.chunkBytes = chunkBytes;
    long all = 0;
    for (TransferPart part : this.parts) {
      all = Math.addExact(all, part.bytes());
    }
    this.bytes = all;
    if (chunkBytes < SMALLEST || chunkBytes > LARGEST) {
      throw new IllegalArgumentException("chunks of " + chunkBytes + " bytes");
    }
    if (all == 0 || (all - 1) / chunkBytes >= MOST || this.parts.size() > MOST) {
      throw new IllegalArgumentException(
          all + " bytes in " + this.parts.size() + " parts and chunks of " + chunkBytes);
    }
  }

  /** Of which version. */
  public VersionId id() {
    return id;
  }

  /** The parts, in order. */
  public List<TransferPart> parts() {
    return parts;
  }

  /** Bytes of a chunk that is not the last. */
  public int chunkBytes() {
    return chunkBytes;
  }

  /** Bytes of all parts together. */
  public long bytes() {
    return bytes;
  }

  /** How many chunks there are, at least 1. */
  public int chunks() {
    return (int) ((bytes - 1) / chunkBytes) + 1;
  }

  /** The number of the first byte of chunk {@code index}. */
  public long at(int index) {
    return (long) index * chunkBytes;
  }

  /** Bytes of chunk {@code index}. */
  public int length(int index) {
    return (int) Math.min(chunkBytes, bytes - at(index));
  }

  /** Writes all of it. */
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
   * What somebody wrote.
   *
   * @throws IOException if it is no manifest
   */
  static Manifest read(DataInputStream from) throws IOException {
    try {
      VersionId id = VersionId.read(from);
      int chunkBytes = from.readInt();
      int count = from.readInt();
      List<TransferPart> parts = new ArrayList<>();
      for (int i = 0; i < count && i <= MOST; i++) {
        parts.add(new TransferPart(from.readUTF(), from.readUTF(), from.readLong()));
      }
      return new Manifest(id, parts, chunkBytes);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("no manifest: " + e.getMessage(), e);
    }
  }
}
