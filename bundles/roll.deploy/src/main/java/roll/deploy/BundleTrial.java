package roll.deploy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Installs the manifest of a jar under a name of its own, never starts it, and removes it again:
 * the framework itself reads what the jar needs and offers, and nothing that runs is touched.
 */
final class BundleTrial {
  private static final String NAME = "roll.deploy.trial";

  private final BundleContext context;
  private final StartLevels levels;
  private final Reserved reserved;

  BundleTrial(BundleContext context, StartLevels levels, Reserved reserved) {
    this.context = context;
    this.levels = levels;
    this.reserved = reserved;
  }

  /** Why {@code candidate} cannot be installed; empty if it can. */
  Optional<Verdict> refuse(Candidate candidate) {
    Optional<String> name = reserved.name(candidate);
    if (name.isPresent()) {
      return name.map(Verdict::refused);
    }
    return with(
        candidate,
        bundle ->
            reserved
                .offer(bundle.adapt(BundleRevision.class))
                .map(why -> Verdict.refused(candidate.title() + ": " + why))
                .or(
                    () ->
                        new MissingRequirements(context.getBundles())
                            .of(bundle)
                            .map(why -> Verdict.lacking(candidate.title() + ": " + why))));
  }

  private Optional<Verdict> with(
      Candidate candidate, Function<Bundle, Optional<Verdict>> question) {
    try {
      Bundle bundle = context.installBundle(NAME, new ByteArrayInputStream(manifestOf(candidate)));
      try {
        return question.apply(bundle);
      } finally {
        levels.await();
        bundle.uninstall();
      }
    } catch (BundleException | IOException e) {
      return Optional.of(Verdict.refused(candidate.title() + ": " + e.getMessage()));
    }
  }

  /** A jar of the manifest alone; its capabilities stay, since a bundle may need its own. */
  private static byte[] manifestOf(Candidate candidate) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarFile jar = new JarFile(candidate.jar().toFile(), false)) {
      Manifest manifest = new Manifest(jar.getManifest());
      manifest.getMainAttributes().putValue(Constants.BUNDLE_SYMBOLICNAME, NAME);
      manifest.getEntries().clear();
      new JarOutputStream(bytes, manifest).close();
    }
    return bytes.toByteArray();
  }
}
