package roll.djl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Shared libraries that hold nothing but what they need, written byte by byte. */
final class TinyElf {
  static final int X86_64 = 62;
  static final int AARCH64 = 183;
  private static final int BASE = 0x10000;

  private TinyElf() {}

  /** The number of this machine's processor. */
  static int here() {
    return System.getProperty("os.arch").equals("aarch64") ? AARCH64 : X86_64;
  }

  /** A library for {@code machine} that needs {@code needed} and looks in {@code folders}. */
  static void write(Path file, int machine, String folders, List<String> needed)
      throws IOException {
    StringBuilder strings = new StringBuilder("\0");
    long[] at = new long[needed.size() + 1];
    for (int i = 0; i < at.length; i++) {
      at[i] = strings.length();
      strings.append(i < needed.size() ? needed.get(i) : folders).append('\0');
    }
    int dynamic = 64 + 2 * 56;
    int names = dynamic + 16 * (at.length + 2);
    int size = names + strings.length();
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).position(16);
    out.putShort((short) 3).putShort((short) machine).putInt(1).putLong(0);
    out.putLong(64).putLong(0).putInt(0); // program headers at 64, no sections
    out.putShort((short) 64).putShort((short) 56).putShort((short) 2).position(64);
    segment(out, 1, 0, BASE, size);
    segment(out, 2, dynamic, BASE + dynamic, names - dynamic);
    for (int i = 0; i < needed.size(); i++) {
      out.putLong(1).putLong(at[i]);
    }
    out.putLong(15).putLong(at[needed.size()]);
    out.putLong(5).putLong(BASE + names);
    out.putLong(0).putLong(0);
    out.put(strings.toString().getBytes(StandardCharsets.UTF_8));
    Files.createDirectories(file.getParent());
    Files.write(file, out.array());
  }

  private static void segment(ByteBuffer out, int type, long at, long address, long size) {
    out.putInt(type).putInt(4).putLong(at).putLong(address).putLong(address);
    out.putLong(size).putLong(size).putLong(8);
  }
}
