import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites jars, and those in them, without compression, the JNI libraries of other platforms and
 * bnd's scripts, which name the folder of the build: {@code JarRepacker <platform> <folder> ...}.
 * xz makes libtorch a third and classes half as large again, if it gets the bytes themselves.
 */
final class JarRepacker {
  private JarRepacker() {}

  static void main(String[] arguments) throws IOException {
    for (String folder : List.of(arguments).subList(1, arguments.length)) {
      try (Stream<Path> files = Files.list(Path.of(folder))) {
        for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
          Path part = jar.resolveSibling(jar.getFileName() + ".part");
          write(jar, part, arguments[0]);
          Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private static void write(Path jar, Path to, String platform) throws IOException {
    try (ZipFile source = new ZipFile(jar.toFile());
        ZipOutputStream target = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry entry : source.stream().toList()) {
        String name = entry.getName();
        boolean foreign =
            name.matches("jnilib/[^/]+/.*") && !name.startsWith("jnilib/" + platform + "/");
        if (foreign || name.matches("start(\\.bat)?")) {
          continue;
        }
        InputStream content = source.getInputStream(entry);
        if (name.endsWith(".jar")) {
          put(target, entry, stored(content.readAllBytes()));
        } else { // libtorch does not fit into an array of bytes everywhere
          put(target, entry, entry.getSize(), entry.getCrc());
          content.transferTo(target);
        }
      }
    }
  }

  private static byte[] stored(byte[] jar) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * jar.length);
    try (ZipInputStream source = new ZipInputStream(new ByteArrayInputStream(jar));
        ZipOutputStream target = new ZipOutputStream(bytes)) {
      for (ZipEntry entry; (entry = source.getNextEntry()) != null; ) {
        byte[] content = source.readAllBytes();
        put(target, entry, entry.getName().endsWith(".jar") ? stored(content) : content);
      }
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream target, ZipEntry entry, byte[] content)
      throws IOException {
    CRC32 sum = new CRC32();
    sum.update(content);
    put(target, entry, content.length, sum.getValue());
    target.write(content);
  }

  private static void put(ZipOutputStream target, ZipEntry entry, long size, long sum)
      throws IOException {
    ZipEntry stored = new ZipEntry(entry.getName());
    stored.setMethod(ZipEntry.STORED);
    stored.setSize(size);
    stored.setCrc(sum);
    stored.setTimeLocal(entry.getTimeLocal());
    target.putNextEntry(stored);
  }

  /** Copies a jar with compression, but for the jars in it. */
  static void pack(InputStream jar, Path to) throws IOException {
    try (ZipInputStream source = new ZipInputStream(jar);
        ZipOutputStream target = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry entry; (entry = source.getNextEntry()) != null; ) {
        ZipEntry packed = new ZipEntry(entry.getName());
        packed.setTimeLocal(entry.getTimeLocal());
        target.putNextEntry(packed);
        source.transferTo(target);
      }
    }
  }
}
