package roll.cluster.bundles;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import roll.cluster.services.FileDigests;

/**
 * Jars by their digests, in a folder of this user, which several processes may use. A file is there
 * whole or not at all: it is written beside, checked, and renamed.
 */
final class BundleCache {
  private final Path folder;
  private final FileDigests digests = new FileDigests();

  BundleCache(Path folder) {
    this.folder = folder;
  }

  /**
   * In {@code given}, or, if that is null, where this user's programs keep what can be had again.
   */
  static BundleCache in(@Nullable String given) {
    if (given != null) {
      return new BundleCache(Path.of(given).toAbsolutePath());
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    Path user =
        caches != null && caches.startsWith("/")
            ? Path.of(caches)
            : Path.of(System.getProperty("user.home"), ".cache");
    return new BundleCache(user.resolve("roll").resolve("bundles"));
  }

  /** Where the bytes of a jar come from. */
  @FunctionalInterface
  interface Source {
    /**
     * The bytes from {@code first} on, of which there are {@code most} at most.
     *
     * @throws IOException if they do not come
     */
    byte[] read(long first, int most) throws IOException, InterruptedException;
  }

  /**
   * The jar of {@code offer}, read from {@code source} if it is not here.
   *
   * @throws IOException if it cannot be written, or is not what was offered; one line says why, and
   *     nothing of it is left
   */
  Path get(BundleOffer offer, Source source) throws IOException, InterruptedException {
    Path jar = folder.resolve(offer.digest() + ".jar");
    if (Files.isRegularFile(jar) && digests.of(jar).equals(offer.digest())) {
      return jar;
    }
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.getParent());
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Path part = Files.createTempFile(folder, ".", ".part");
    try {
      fetch(offer, source, part);
      if (!digests.of(part).equals(offer.digest())) {
        throw new IOException("its content is not what its SHA-256 says");
      }
      Files.move(part, jar, StandardCopyOption.ATOMIC_MOVE);
      return jar;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void fetch(BundleOffer offer, Source source, Path part)
      throws IOException, InterruptedException {
    try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
      for (long first = 0; first < offer.size(); first = out.size()) {
        int most = (int) Math.min(BundleSource.PART, offer.size() - first);
        byte[] bytes = source.read(first, most);
        if (bytes.length != most) {
          throw new IOException(
              "of the %d bytes from %d on, %d came".formatted(most, first, bytes.length));
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
      }
    }
  }
}
