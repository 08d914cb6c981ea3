package roll.deploy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;

/**
 * Installs the manifest of a jar under a name of its own, never starts it, and removes it again:
 * the framework itself reads what the jar needs, and nothing that runs is touched.
 */
final class Trial {
  private static final String NAME = "roll.deploy.trial";

  private final BundleContext context;
  private final StartLevels levels;

  Trial(BundleContext context) {
    this.context = context;
    this.levels = new StartLevels(context);
  }

  /** What {@code candidate} needs and no bundle here has; empty if nothing is missing. */
  Optional<String> missing(Candidate candidate) throws IOException {
    try {
      Bundle bundle = context.installBundle(NAME, new ByteArrayInputStream(manifestOf(candidate)));
      try {
        return new Missing(context.getBundles()).of(bundle);
      } finally {
        levels.await();
        bundle.uninstall();
      }
    } catch (BundleException e) {
      return Optional.of(String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
    }
  }

  /** A jar of the manifest alone; its capabilities stay, since a bundle may need its own. */
  private static byte[] manifestOf(Candidate candidate) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarFile jar = new JarFile(candidate.jar().toFile())) {
      Manifest manifest = new Manifest(jar.getManifest());
      manifest.getMainAttributes().putValue(Constants.BUNDLE_SYMBOLICNAME, NAME);
      new JarOutputStream(bytes, manifest).close();
    }
    return bytes.toByteArray();
  }
}
