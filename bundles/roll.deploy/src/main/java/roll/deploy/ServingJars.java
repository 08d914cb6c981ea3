package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.osgi.framework.Bundle;

/**
 * A copy of the jar that each bundle serves from: it is put back when the jar that took its place
 * does not serve. Used by one thread, but for {@link #of}.
 */
final class ServingJars {
  private final Path folder;

  ServingJars(Path folder) {
    this.folder = folder;
  }

  /** A copy of {@code jar}, to be installed; the next one replaces it. */
  Path copy(Path jar) throws IOException {
    Files.createDirectories(folder);
    return Files.copy(jar, folder.resolve("new.jar"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** From now on {@code bundle} serves from {@code copy}, which is moved. */
  void keep(Bundle bundle, Path copy) throws IOException {
    Files.move(copy, file(bundle), StandardCopyOption.REPLACE_EXISTING);
  }

  /** What {@code bundle} serves from; empty where it has never served. */
  Optional<Path> of(Bundle bundle) {
    return Optional.of(file(bundle)).filter(Files::exists);
  }

  /** Whether {@code bundle} serves from what {@code jar} holds. */
  boolean holds(Bundle bundle, Path jar) throws IOException {
    Path kept = file(bundle);
    return Files.exists(kept) && Files.mismatch(kept, jar) < 0;
  }

  /** Deletes what was kept of {@code bundle}, which is no more. */
  void forget(Bundle bundle) throws IOException {
    Files.deleteIfExists(file(bundle));
  }

  private Path file(Bundle bundle) {
    return folder.resolve(bundle.getBundleId() + ".jar");
  }
}
