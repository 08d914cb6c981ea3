package roll.ui.metric;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Indexes of large files that are no longer written, in a cache folder of the user: one is read
 * again only while its file has the size and the time it had. What cannot be written or read there
 * is done without.
 */
final class IndexStore {
  private static final int FORMAT = 0x726f6c01;
  private static final long LEAST_BYTES = 32 << 20;
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final int MOST_FILES = 16;
  private static final String ENDING = ".series";

  private final @Nullable Path folder;
  private final long leastBytes;
  private final Duration quiet;

  /** In {@code folder}, which need not be there; null keeps nothing. */
  IndexStore(@Nullable Path folder) {
    this(folder, LEAST_BYTES, QUIET);
  }

  /**
   * The same for other files.
   *
   * @param leastBytes size of a file from which on its index is kept
   * @param quiet time that a file must not have been written
   */
  IndexStore(@Nullable Path folder, long leastBytes, Duration quiet) {
    this.folder = folder;
    this.leastBytes = leastBytes;
    this.quiet = quiet;
  }

  /**
   * An index.
   *
   * @param read offset up to which it has the file
   * @param broken lines that are not lines of metrics
   */
  record Kept(BucketIndex index, long read, long broken) {}

  /** The index of {@code file} as it was when it was last looked at, or null. */
  @Nullable Kept find(FollowedFile file) {
    FileTime modified = file.modified();
    Path place = place(file);
    if (place == null || modified == null || !Files.isRegularFile(place)) {
      return null;
    }
    CRC32 sum = new CRC32();
    try (var in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(place)), sum))) {
      boolean same =
          in.readInt() == FORMAT
              && in.readLong() == file.size()
              && in.readLong() == modified.toMillis();
      if (!same) {
        return null;
      }
      Kept kept = new Kept(BucketIndex.read(in), in.readLong(), in.readLong());
      long expected = sum.getValue();
      return in.readLong() == expected ? kept : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Keeps the index of {@code file}, if that is large and does not seem to be written any more. */
  void keep(FollowedFile file, Kept kept) {
    FileTime modified = file.modified();
    Path place = place(file);
    if (folder == null
        || place == null
        || modified == null
        || file.size() < leastBytes
        || modified.toInstant().plus(quiet).isAfter(Instant.now())) {
      return;
    }
    try {
      Files.createDirectories(folder);
      Path beside = Files.createTempFile(folder, "index", ".tmp");
      try {
        write(beside, file.size(), modified.toMillis(), kept);
        Files.move(beside, place, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(beside);
      }
      forgetOldest(folder);
    } catch (IOException e) {
      // it is made again the next time
    }
  }

  private static void write(Path place, long size, long modified, Kept kept) throws IOException {
    CRC32 sum = new CRC32();
    try (var out =
        new DataOutputStream(
            new CheckedOutputStream(new BufferedOutputStream(Files.newOutputStream(place)), sum))) {
      out.writeInt(FORMAT);
      out.writeLong(size);
      out.writeLong(modified);
      kept.index().write(out);
      out.writeLong(kept.read());
      out.writeLong(kept.broken());
      out.writeLong(sum.getValue());
    }
  }

  private static void forgetOldest(Path folder) throws IOException {
    List<Path> kept;
    try (Stream<Path> files = Files.list(folder)) {
      kept = files.filter(file -> file.toString().endsWith(ENDING)).toList();
    }
    if (kept.size() > MOST_FILES) {
      Path oldest =
          kept.stream()
              .min(Comparator.comparingLong(file -> file.toFile().lastModified()))
              .orElseThrow();
      Files.deleteIfExists(oldest);
    }
  }

  private @Nullable Path place(FollowedFile file) {
    byte[] name = file.path().toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
    return folder == null ? null : folder.resolve(UUID.nameUUIDFromBytes(name) + ENDING);
  }
}
