package roll.djl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Jars inside the jar that started the JVM, for single-file distributions. Class loaders cannot
 * read nested jars, so they are unpacked once, into DJL's cache.
 */
final class PackedJars {
  private static final String FOLDER = "native/";

  private PackedJars() {}

  /** Returns the names of the jars in {@code started}; empty if it is not a jar. */
  static List<String> names(Path started) {
    if (!Files.isRegularFile(started)) {
      return List.of();
    }
    try (ZipFile jar = new ZipFile(started.toFile())) {
      return jar.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith(FOLDER) && name.endsWith(".jar"))
          .map(name -> name.substring(FOLDER.length()))
          .toList();
    } catch (IOException e) {
      return List.of(); // not started from a jar
    }
  }

  /** Returns the folder for unpacked jars in DJL's cache. */
  static Path cache() {
    String folder =
        Optional.ofNullable(System.getProperty("DJL_CACHE_DIR"))
            .or(() -> Optional.ofNullable(System.getenv("DJL_CACHE_DIR")))
            .orElse(System.getProperty("user.home") + "/.djl.ai");
    return Path.of(folder, "roll");
  }

  /**
   * Returns the jar {@code name} of {@code started} as a file in {@code folder}, unpacking it if
   * necessary.
   */
  static Path unpack(Path started, String name, Path folder) {
    Path file = folder.resolve(name);
    try (ZipFile jar = new ZipFile(started.toFile())) {
      ZipEntry entry = jar.getEntry(FOLDER + name);
      if (!Files.exists(file) || Files.size(file) != entry.getSize()) {
        Files.createDirectories(folder);
        Path part = Files.createTempFile(folder, name, ".part");
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
