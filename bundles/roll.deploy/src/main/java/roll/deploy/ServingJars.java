package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.osgi.framework.Bundle;

/**
 * Copies of the jars that bundles run from, to restore them when an update is refused. Used by one
 * thread, except {@link #of}.
 */
final class ServingJars {
  private final Path folder;

  ServingJars(Path folder) {
    this.folder = folder;
  }

  /** Copies {@code jar} for installation; the next copy replaces it. */
  Path copy(Path jar) throws IOException {
    Files.createDirectories(folder);
    return Files.copy(jar, folder.resolve("new.jar"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Keeps {@code copy}, which is moved, as the jar of {@code bundle}. */
  void keep(Bundle bundle, Path copy) throws IOException {
    Files.move(copy, file(bundle), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns the jar of {@code bundle}; empty if it was never accepted. */
  Optional<Path> of(Bundle bundle) {
    return Optional.of(file(bundle)).filter(Files::exists);
  }

  /** Returns whether {@code jar} has the content that {@code bundle} runs from. */
  boolean holds(Bundle bundle, Path jar) throws IOException {
    Path kept = file(bundle);
    return Files.exists(kept) && Files.mismatch(kept, jar) < 0;
  }

  /** Deletes the copy of {@code bundle}, which is uninstalled. */
  void forget(Bundle bundle) throws IOException {
    Files.deleteIfExists(file(bundle));
  }

  private Path file(Bundle bundle) {
    return folder.resolve(bundle.getBundleId() + ".jar");
  }
}
