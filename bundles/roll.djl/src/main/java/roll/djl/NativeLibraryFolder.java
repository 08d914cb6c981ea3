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
 * The folder that DJL unpacks native libraries into, once for all distributions of a user. It
 * unpacks into a folder {@code tmp…}, hundreds of megabytes, that stays where the process is killed
 * meanwhile: those go when nobody else is unpacking.
 *
 * @param folder ours alone, or null where the user named one, which others may use too
 */
record NativeLibraryFolder(@Nullable Path folder) {
  /** System property and environment variable of DJL's. */
  static final String CACHE = "DJL_CACHE_DIR";

  /** The user's own folder, unless {@code given} is one; null where it cannot be made. */
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

  /** What {@code load} gives; while it runs, no other process deletes what it unpacks. */
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
   * DJL unpacks the tokenizers of a process that sees cards to a folder of that kind of card inside
   * the folder of one that sees none, {@code …-cpu-…/90}, though it is the same library. Once that
   * is there, it cannot make the outer one any more, and a process without cards would fail.
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
