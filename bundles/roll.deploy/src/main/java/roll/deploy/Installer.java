package roll.deploy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.service.log.admin.LoggerAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * Installs, updates and removes bundles. A single thread performs one operation at a time and waits
 * for the framework's own threads in between: if two threads start, refresh or resolve a bundle at
 * once, the framework interrupts one of them, which then fails.
 */
final class Installer {
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final BundleContext context;
  private final DeployFolder folder;
  private final StartLevels levels;
  private final ReservedNames reserved;
  private final TrialInstallation trial;
  private final BundleCheck judge;
  private final ServingJars serving;
  private final StartTimeout patience;

  /** Bundles whose start never returned; the framework still holds their locks. */
  private final Set<Bundle> stuck = new HashSet<>();

  Installer(
      BundleContext context,
      DeployFolder folder,
      BundleCheck judge,
      StartTimeout patience,
      @Nullable LoggerAdmin logging) {
    this.context = context;
    this.folder = folder;
    this.levels = new StartLevels(context);
    this.reserved = new ReservedNames(context, folder);
    this.trial = new TrialInstallation(context, folder, levels, reserved, logging);
    this.judge = judge;
    this.serving = new ServingJars(Objects.requireNonNull(context.getDataFile("serving")).toPath());
    this.patience = patience;
  }

  /** Waits until the framework has completed its pending operations. */
  void settle() {
    levels.await();
  }

  /**
   * Returns the reason why {@code jar} is refused, as far as can be checked without affecting
   * running bundles; empty if there is none.
   *
   * @throws UserException if it cannot be read
   */
  Optional<DeployResult> refuse(Path jar) {
    CandidateJar candidate = CandidateJar.read(jar);
    return trial.refuse(candidate).map(verdict -> verdict.of(name(jar)));
  }

  /**
   * Installs {@code jar}, or updates its bundle. A refused jar is not left installed; the previous
   * version keeps running.
   */
  DeployResult install(Path jar) {
    try {
      CandidateJar candidate = CandidateJar.read(jar);
      Bundle bundle = folder.bundle(jar);
      if (bundle != null && BundleCheck.started(bundle) && serving.holds(bundle, jar)) {
        DeployResult verdict = served(candidate, bundle);
        if (verdict.accepted()) {
          return verdict;
        }
      }
      Optional<DeployResult> refused = twin(candidate).or(() -> trial.refuse(candidate));
      return (refused.isPresent() ? refused.get() : installed(candidate)).of(name(jar));
    } catch (UserException e) {
      return DeployResult.refused(String.valueOf(e.getMessage()));
    } catch (BundleException | IOException | RuntimeException e) {
      return DeployResult.refused(String.valueOf(e.getMessage())).of(name(jar));
    }
  }

  /** Returns whether the services that the jar lacked are available now, if they are known. */
  boolean offered(DeployResult verdict) {
    return judge.offered(verdict);
  }

  private static String name(Path jar) {
    return jar.getFileName().toString();
  }

  /** Returns the file that {@code bundle} runs from; not {@code jar} if its update failed. */
  Path servesFrom(Bundle bundle, Path jar) {
    try {
      return serving.holds(bundle, jar) ? jar : serving.of(bundle).orElse(jar);
    } catch (IOException e) {
      return jar; // deleted or being changed
    }
  }

  private Optional<DeployResult> twin(CandidateJar candidate) {
    String own = DeployFolder.location(candidate.jar());
    return Stream.of(context.getBundles())
        .filter(bundle -> candidate.name().equals(bundle.getSymbolicName()))
        .filter(bundle -> candidate.version().equals(bundle.getVersion()))
        .filter(bundle -> folder.holds(bundle.getLocation()) && !own.equals(bundle.getLocation()))
        .findFirst()
        .map(
            other ->
                DeployResult.refused(
                    candidate.title() + " is already installed, from " + other.getLocation()));
  }

  private DeployResult installed(CandidateJar candidate) throws BundleException, IOException {
    Bundle bundle = folder.bundle(candidate.jar());
    if (stuck.contains(bundle)) {
      return DeployResult.refused(
          candidate.title()
              + ": the previous version is still starting and cannot be replaced until roll is"
              + " restarted");
    }
    Path copy = serving.copy(candidate.jar());
    if (bundle != null) {
      return updated(candidate, bundle, copy);
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(copy))) {
      bundle = context.installBundle(DeployFolder.location(candidate.jar()), in);
    }
    levels.refresh(bundle);
    return kept(served(candidate, bundle), bundle, copy);
  }

  private DeployResult updated(CandidateJar candidate, Bundle bundle, Path copy)
      throws BundleException, IOException {
    DeployResult verdict;
    try {
      update(bundle, copy);
      verdict = served(candidate, bundle);
    } catch (BundleException e) {
      verdict = DeployResult.refused(String.valueOf(e.getMessage()));
    }
    Optional<Path> older = serving.of(bundle);
    if (verdict.accepted() || older.isEmpty() || stuck.contains(bundle)) {
      return kept(verdict, bundle, copy);
    }
    try {
      update(bundle, older.get());
    } catch (BundleException e) {
      // for example on a full disk: the older version is still installed and is started below
      LOG.warn("cannot restore {}: {}", older.get(), OneLine.of(e));
    }
    DeployResult back = served(CandidateJar.read(older.get()), bundle);
    if (!back.accepted() && !stuck.contains(bundle)) {
      uninstall(bundle);
    }
    return verdict.insteadOf(back);
  }

  private void update(Bundle bundle, Path jar) throws BundleException, IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(jar))) {
      stop(bundle);
      bundle.update(in);
    }
    levels.refresh(bundle);
  }

  /** Stops {@code bundle}, even if its activator throws. */
  private static void stop(Bundle bundle) throws BundleException {
    try {
      bundle.stop(Bundle.STOP_TRANSIENT);
    } catch (BundleException e) {
      if (bundle.getState() != Bundle.RESOLVED) {
        throw e;
      }
      LOG.warn(
          "{} {}: its activator failed in stop(): {}",
          bundle.getSymbolicName(),
          bundle.getVersion(),
          ComponentCheck.cause(OneLine.stack(e)));
    }
  }

  /** Keeps {@code copy} if {@code bundle} was accepted, else uninstalls the bundle. */
  private DeployResult kept(DeployResult verdict, Bundle bundle, Path copy)
      throws BundleException, IOException {
    if (verdict.accepted()) {
      serving.keep(bundle, copy);
    } else if (!stuck.contains(bundle)) {
      uninstall(bundle);
    }
    return verdict;
  }

  private DeployResult served(CandidateJar candidate, Bundle bundle) {
    boolean other =
        !candidate.name().equals(bundle.getSymbolicName())
            || !candidate.version().equals(bundle.getVersion());
    Optional<String> offer = reserved.offer(bundle.adapt(BundleRevision.class));
    if (other || offer.isPresent()) {
      return DeployResult.refused(
          candidate.title() + ": " + offer.orElse("its manifest is ambiguous"));
    }
    try {
      Optional<DeployResult> verdict = patience.grant(() -> judge.judge(bundle));
      if (verdict.isPresent()) {
        return verdict.get();
      }
      if (patience.lost()) {
        stuck.add(bundle);
      }
      return DeployResult.refused(candidate.title() + ": " + patience.complaint());
    } catch (IllegalStateException e) {
      return DeployResult.refused(candidate.title() + ": " + OneLine.of(e));
    }
  }

  /** Uninstalls the bundle of {@code jar}. */
  void remove(Path jar) throws BundleException, IOException {
    Bundle bundle = folder.bundle(jar);
    if (bundle != null && !stuck.contains(bundle)) {
      uninstall(bundle);
    }
  }

  private void uninstall(Bundle bundle) throws BundleException, IOException {
    levels.await();
    bundle.uninstall();
    levels.refresh(bundle);
    serving.forget(bundle);
  }
}
