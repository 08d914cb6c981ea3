package roll.djl;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder into which DJL unpacks native libraries, shared by all distributions of a user. A
 * killed process leaves a temporary folder {@code tmp…} of hundreds of megabytes, which is deleted
 * when no other process is unpacking.
 *
 * @param folder roll's own folder, or null for a user's folder, which other programs may use
 */
record NativeLibraryFolder(@Nullable Path folder) {
  /** DJL's system property and environment variable. */
  static final String CACHE = "DJL_CACHE_DIR";

  /**
   * Returns the user's default folder of native libraries, unless {@code given}; null if it cannot
   * be created.
   */
  static NativeLibraryFolder of(@Nullable String given, @Nullable String userCache, String home) {
    if (given != null) {
      return new NativeLibraryFolder(null);
    }
    Path caches = userCache == null ? Path.of(home, ".cache") : Path.of(userCache);
    Path folder = caches.resolve("roll").resolve("djl");
    try {
      Files.createDirectories(folder);
      return new NativeLibraryFolder(Files.isWritable(folder) ? folder : null);
    } catch (IOException e) {
      return new NativeLibraryFolder(null);
    }
  }

  /**
   * Runs {@code load} and returns its result; other processes do not delete its files meanwhile.
   */
  <T> T loading(Supplier<T> load) throws IOException {
    if (folder == null) {
      return load.get();
    }
    try (FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      clean(folder, channel);
      shareTokenizers(folder.resolve("tokenizers"));
      FileLock unused = channel.lock(0, Long.MAX_VALUE, true);
      return load.get();
    }
  }

  private static void clean(Path folder, FileChannel channel) throws IOException {
    try (FileLock alone = channel.tryLock()) {
      if (alone != null) {
        for (Path engine : entries(folder)) {
          for (Path left : entries(engine)) {
            if (String.valueOf(left.getFileName()).matches("tmp.*|jni.*tmp|.*\\.part")) {
              delete(left);
            }
          }
        }
      }
    } catch (OverlappingFileLockException e) {
      // another framework of this process is loading
    }
  }

  /**
   * Works around a bug of DJL: with visible cards it unpacks the tokenizers to a sub-folder {@code
   * …-cpu-…/90} of the folder for processes without cards, though the library is the same. The
   * outer folder then cannot be created, and a process without cards would fail.
   */
  private static void shareTokenizers(Path tokenizers) throws IOException {
    String library = System.mapLibraryName("tokenizers");
    for (Path outer : entries(tokenizers)) {
      for (Path inner : entries(outer)) {
        Path there = inner.resolve(library);
        if (Files.isRegularFile(there) && !Files.exists(outer.resolve(library))) {
          Path part = Files.createTempFile(tokenizers, library, ".part");
          Files.copy(there, part, StandardCopyOption.REPLACE_EXISTING);
          Files.move(part, outer.resolve(library), StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }

  private static void delete(Path left) throws IOException {
    try (Stream<Path> entries = Files.walk(left)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    }
  }
}
