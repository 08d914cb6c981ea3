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
 * Jars inside the jar that the JVM was started with, for distributions that are one file. A class
 * loader cannot read them there: they are unpacked once, beside what DJL unpacks of them.
 */
final class PackedJars {
  private static final String FOLDER = "native/";

  private PackedJars() {}

  /** Names of the jars in {@code started}; none where it is not a jar. */
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
      return List.of(); // started from something that is not a jar
    }
  }

  /** The folder that jars are unpacked to: that of DJL's cache. */
  static Path cache() {
    String folder =
        Optional.ofNullable(System.getProperty("DJL_CACHE_DIR"))
            .or(() -> Optional.ofNullable(System.getenv("DJL_CACHE_DIR")))
            .orElse(System.getProperty("user.home") + "/.djl.ai");
    return Path.of(folder, "roll");
  }

  /** The jar {@code name} of {@code started} as a file in {@code folder}, unpacked if necessary. */
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
