import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites the jars of a folder without compression: {@code Stored <folder>}. xz makes libtorch a
 * third smaller than a jar does, if it gets the bytes themselves.
 */
final class Stored {
  private Stored() {}

  static void main(String[] arguments) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        Path part = jar.resolveSibling(jar.getFileName() + ".part");
        write(jar, part);
        Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void write(Path jar, Path to) throws IOException {
    try (ZipFile source = new ZipFile(jar.toFile());
        ZipOutputStream target = new ZipOutputStream(Files.newOutputStream(to))) {
      List<? extends ZipEntry> entries = source.stream().toList();
      for (ZipEntry entry : entries) {
        ZipEntry stored = new ZipEntry(entry.getName());
        stored.setMethod(ZipEntry.STORED);
        stored.setSize(entry.getSize());
        stored.setCrc(entry.getCrc());
        stored.setTimeLocal(entry.getTimeLocal());
        target.putNextEntry(stored);
        source.getInputStream(entry).transferTo(target);
      }
    }
  }
}
