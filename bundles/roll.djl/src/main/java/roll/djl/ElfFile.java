package roll.djl;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The metadata of a Linux shared library, read without loading it (ELF-64, little endian; System V
 * ABI, chapters 4 and 5).
 *
 * @param machine number of its processor architecture
 * @param needed names of its dependencies
 * @param folders search path of the dependencies; {@code $ORIGIN} is its own folder
 */
record ElfFile(int machine, List<String> needed, List<String> folders) {
  private static final int LOADED = 1;
  private static final int DYNAMIC = 2;
  private static final int NEEDED = 1;
  private static final int STRINGS = 5;
  private static final int RPATH = 15;
  private static final int RUNPATH = 29;

  /**
   * A loaded segment of the file.
   *
   * @param at offset in the file
   * @param address virtual address
   */
  private record Segment(int type, long at, long address, long size) {}

  /**
   * Reads the metadata of the shared library {@code library}.
   *
   * @throws IOException if it is no such file, or truncated
   */
  static ElfFile read(Path library) throws IOException {
    try (FileChannel file = FileChannel.open(library, StandardOpenOption.READ)) {
      ByteBuffer head = bytes(file, 0, 64);
      if (head.getInt(0) != 0x464c457f || head.get(4) != 2 || head.get(5) != 1) {
        throw new IOException("not a shared library of a 64-bit Linux");
      }
      List<Segment> segments = segments(file, head);
      List<String> needed = new ArrayList<>();
      List<String> folders = new ArrayList<>();
      for (Segment dynamic : segments) {
        if (dynamic.type == DYNAMIC) {
          read(bytes(file, dynamic.at, dynamic.size), file, segments, needed, folders);
        }
      }
      return new ElfFile(head.getShort(18), List.copyOf(needed), List.copyOf(folders));
    }
  }

  private static List<Segment> segments(FileChannel file, ByteBuffer head) throws IOException {
    int size = head.getShort(54);
    ByteBuffer table = bytes(file, head.getLong(32), (long) size * head.getShort(56));
    List<Segment> segments = new ArrayList<>();
    for (int at = 0; at < table.limit(); at += size) {
      segments.add(
          new Segment(
              table.getInt(at),
              table.getLong(at + 8),
              table.getLong(at + 16),
              table.getLong(at + 32)));
    }
    return segments;
  }

  private static void read(
      ByteBuffer table,
      FileChannel file,
      List<Segment> segments,
      List<String> needed,
      List<String> folders)
      throws IOException {
    long strings = 0;
    for (int at = 0; at + 16 <= table.limit(); at += 16) {
      if (table.getLong(at) == STRINGS) {
        strings = place(table.getLong(at + 8), segments);
      }
    }
    for (int at = 0; at + 16 <= table.limit() && table.getLong(at) != 0; at += 16) {
      long text = strings + table.getLong(at + 8);
      switch ((int) table.getLong(at)) {
        case NEEDED -> needed.add(text(file, text));
        case RPATH, RUNPATH -> folders.addAll(List.of(text(file, text).split(":")));
        default -> {} // other variables are expanded by the loader
      }
    }
  }

  private static long place(long address, List<Segment> segments) throws IOException {
    for (Segment segment : segments) {
      long within = address - segment.address;
      if (segment.type == LOADED && within >= 0 && within < segment.size) {
        return segment.at + within;
      }
    }
    throw new IOException("its names are nowhere in the file");
  }

  private static String text(FileChannel file, long at) throws IOException {
    ByteBuffer bytes = bytes(file, at, Math.min(4096, file.size() - at));
    int end = 0;
    while (end < bytes.limit() && bytes.get(end) != 0) {
      end++;
    }
    return StandardCharsets.UTF_8.decode(bytes.slice(0, end)).toString();
  }

  private static ByteBuffer bytes(FileChannel file, long at, long size) throws IOException {
    if (at < 0 || size < 0 || at + size > file.size()) {
      throw new EOFException("it ends too early");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {}
    return bytes;
  }
}
