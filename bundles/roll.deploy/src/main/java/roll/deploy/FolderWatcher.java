package roll.deploy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tracks the jars in the folder and the result of each. Used by one thread. */
final class FolderWatcher {
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final DeployFolder folder;
  private final Installer installer;
  private final Consumer<DeployResult> news;
  private final Map<Path, Known> known = new LinkedHashMap<>();
  private Map<Path, DeployFolder.Stamp> before = Map.of();

  /** Number of installations and removals of jars in the folder. */
  private long moves;

  /**
   * Creates a watcher of {@code folder}.
   *
   * @param news receives the results of jars that no command deployed
   */
  FolderWatcher(DeployFolder folder, Installer installer, Consumer<DeployResult> news) {
    this.folder = folder;
    this.installer = installer;
    this.news = news;
  }

  /**
   * The known result of deploying a jar.
   *
   * @param tried number of installations and removals when it was tried last
   */
  private record Known(DeployFolder.Stamp stamp, DeployResult verdict, long tried) {}

  /** Polls for the first time: the files that are there are complete. */
  void begin() {
    before = folder.jars();
    look();
  }

  /** Installs changed jars that were unchanged since the last poll, and so are complete. */
  void look() {
    Map<Path, DeployFolder.Stamp> jars = folder.jars();
    Map<Path, DeployFolder.Stamp> settled = new HashMap<>(jars);
    settled.entrySet().retainAll(before.entrySet());
    take(jars, settled).forEach((jar, verdict) -> news.accept(verdict));
    before = jars;
  }

  /**
   * Installs the completely copied {@code jar} if it is new or changed; returns the result, or null
   * if the file does not exist.
   */
  @Nullable DeployResult now(Path jar) {
    Map<Path, DeployFolder.Stamp> jars = folder.jars();
    DeployFolder.Stamp stamp = jars.get(jar);
    Map<Path, DeployResult> changed = take(jars, stamp == null ? Map.of() : Map.of(jar, stamp));
    changed.forEach(
        (other, verdict) -> {
          if (!other.equals(jar)) {
            news.accept(verdict);
          }
        });
    Known found = known.get(jar);
    return found == null ? null : found.verdict();
  }

  /** Removes deleted jars and installs {@code settled} ones; returns the changed results. */
  private Map<Path, DeployResult> take(
      Map<Path, DeployFolder.Stamp> jars, Map<Path, DeployFolder.Stamp> settled) {
    Map<Path, DeployResult> changed = new LinkedHashMap<>();
    boolean moved = false;
    for (Path jar : List.copyOf(known.keySet())) {
      if (!jars.containsKey(jar)) {
        known.remove(jar);
        remove(jar);
        moves++;
        moved = true;
      }
    }
    for (Path jar : jars.keySet()) {
      DeployFolder.Stamp stamp = settled.get(jar);
      Known found = known.get(jar);
      if (stamp != null && (found == null || !found.stamp().equals(stamp))) {
        changed.put(jar, install(jar, stamp));
        moved = true;
      }
    }
    while (moved) {
      moved = again(changed);
    }
    return changed;
  }

  private DeployResult install(Path jar, DeployFolder.Stamp stamp) {
    DeployResult verdict = installer.install(jar);
    if (verdict.accepted()) {
      moves++;
    }
    known.put(jar, new Known(stamp, verdict, moves));
    return verdict;
  }

  private void remove(Path jar) {
    try {
      installer.remove(jar);
    } catch (BundleException | IOException e) {
      LOG.warn("cannot uninstall {}", jar, e);
    }
  }

  /** Retries jars whose requirements may be satisfied now, or that were stopped. */
  private boolean again(Map<Path, DeployResult> changed) {
    boolean moved = false;
    for (Path jar : List.copyOf(known.keySet())) {
      Known found = Objects.requireNonNull(known.get(jar));
      Bundle bundle = folder.bundle(jar);
      boolean serves = bundle != null && BundleCheck.started(bundle);
      boolean lost = found.verdict().accepted() && !serves;
      // a new attempt stops the running version
      boolean comes =
          found.verdict().lacks()
              && found.tried() < moves
              && (!serves || installer.offered(found.verdict()));
      if (comes || lost) {
        DeployResult verdict = install(jar, found.stamp());
        if (verdict.accepted() != found.verdict().accepted()) {
          changed.put(jar, verdict);
          moved = true;
        }
      }
    }
    return moved;
  }
}
