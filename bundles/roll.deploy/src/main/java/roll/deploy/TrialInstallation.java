package roll.deploy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.service.log.admin.LoggerAdmin;

/**
 * Installs a jar under a temporary name without starting it, and removes it again. The framework
 * resolves it and loads its classes, and running bundles are not affected.
 */
final class TrialInstallation {
  private static final String NAME = "roll.deploy.trial";

  private final BundleContext context;
  private final DeployFolder folder;
  private final StartLevels levels;
  private final ReservedNames reserved;
  private final @Nullable LoggerAdmin logging;
  private final FrameworkWiring framework;

  TrialInstallation(
      BundleContext context,
      DeployFolder folder,
      StartLevels levels,
      ReservedNames reserved,
      @Nullable LoggerAdmin logging) {
    this.context = context;
    this.folder = folder;
    this.levels = levels;
    this.reserved = reserved;
    this.logging = logging;
    this.framework = context.getBundle(0).adapt(FrameworkWiring.class);
  }

  /** Returns the reason why {@code candidate} cannot be installed; empty if it can. */
  Optional<DeployResult> refuse(CandidateJar candidate) {
    return reserved.name(candidate).map(DeployResult::refused).or(() -> tried(candidate));
  }

  private Optional<DeployResult> tried(CandidateJar candidate) {
    try {
      Path copy = Files.createTempFile("roll-deploy", ".jar");
      try {
        copy(candidate, copy);
        // a location in the folder, so that its classes are rewritten as later
        String location = DeployFolder.location(folder.path().resolve(NAME));
        try (InputStream in = new BufferedInputStream(Files.newInputStream(copy))) {
          return tried(candidate, context.installBundle(location, in));
        }
      } finally {
        Files.deleteIfExists(copy);
      }
    } catch (BundleException | IOException | IllegalArgumentException e) {
      return Optional.of(DeployResult.refused(candidate.title() + ": " + e.getMessage()));
    }
  }

  /**
   * Copies the jar to {@code copy} with another symbolic name, so that it is not a version of the
   * real one.
   */
  private static void copy(CandidateJar candidate, Path copy) throws IOException {
    Manifest manifest;
    try (JarFile jar = new JarFile(candidate.jar().toFile(), false)) {
      manifest = new Manifest(jar.getManifest());
    }
    manifest.getMainAttributes().putValue(Constants.BUNDLE_SYMBOLICNAME, NAME);
    manifest.getEntries().clear();
    Files.copy(candidate.jar(), copy, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem zip = FileSystems.newFileSystem(copy);
        OutputStream out = Files.newOutputStream(zip.getPath(JarFile.MANIFEST_NAME))) {
      manifest.write(out);
    }
  }

  private Optional<DeployResult> tried(CandidateJar candidate, Bundle bundle)
      throws BundleException {
    ServiceRegistration<ResolverHookFactory> wires =
        context.registerService(
            ResolverHookFactory.class, new TrialResolution(bundle, replaced(candidate)), null);
    try (LogSilencer _ = LogSilencer.about(bundle, logging)) {
      return declared(candidate, bundle).or(() -> classes(candidate, bundle));
    } finally {
      levels.await();
      bundle.uninstall();
      levels.refresh(bundle); // unloads the classes
      wires.unregister();
    }
  }

  private @Nullable Bundle replaced(CandidateJar candidate) {
    return Stream.of(context.getBundles())
        .filter(bundle -> candidate.name().equals(bundle.getSymbolicName()))
        .filter(bundle -> folder.holds(bundle.getLocation()))
        .findFirst()
        .orElse(null);
  }

  private Optional<DeployResult> declared(CandidateJar candidate, Bundle bundle) {
    return reserved
        .offer(bundle.adapt(BundleRevision.class))
        .map(why -> DeployResult.refused(candidate.title() + ": " + why))
        .or(
            () ->
                new MissingRequirements(context.getBundles())
                    .of(bundle)
                    .map(why -> DeployResult.lacking(candidate.title() + ": " + why)));
  }

  private Optional<DeployResult> classes(CandidateJar candidate, Bundle bundle) {
    if (!framework.resolveBundles(List.of(bundle))) {
      return Optional.of(
          DeployResult.lacking(
              candidate.title() + ": no set of installed bundles satisfies all its imports"));
    }
    return new ClassLoadCheck(candidate, bundle, reserved)
        .trouble()
        .map(why -> DeployResult.refused(candidate.title() + ": " + why));
  }
}
