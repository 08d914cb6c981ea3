package roll.core.swap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.plugin.MissingPluginException;
import roll.api.plugin.Plugins;
import roll.core.Roles;
import roll.core.output.EffectiveConfig;
import roll.core.output.RunLog;
import roll.core.plugin.ActivationFailures;
import roll.core.plugin.PluginRequirement;
import roll.core.plugin.StepPlugins;
import roll.core.report.CompositeTracking;
import roll.core.report.RunProgress;
import roll.core.role.WorkerGroup;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RunStatus.State;

/**
 * The work between two steps: replaces plugins, handles requests to pause or stop, and waits while
 * a required plugin is missing.
 */
public final class StepBoundary {
  /** Maximum polling interval of a waiting run; it grows with the waiting time. */
  private static final long MOST_MILLIS = 200;

  private final AtomicReference<LoadedConfig> config;
  private final RunControl control;
  private final RunProgress progress;
  private final Plugins plugins;
  private final WorkerGroup workers;
  private final CompositeTracking trackers;
  private final RunLog log;
  private final Saving saving;
  private Set<String> served = Set.of();
  private @Nullable Path handedOver;
  private int swapped;
  private int replaced;

  /** Whether the run has served a step or waited: from then on it waits where it is refused. */
  private boolean begun;

  /** Why what is waited for was refused when it was last there; empty where it never was. */
  private String refused = "";

  /**
   * Creates the step boundary of one run.
   *
   * @param config the current configuration, replaced by a swap
   * @param saving saves the state of roles that are reopened
   */
  public StepBoundary(
      AtomicReference<LoadedConfig> config,
      RunControl control,
      RunProgress progress,
      Plugins plugins,
      WorkerGroup workers,
      CompositeTracking trackers,
      RunLog log,
      Saving saving) {
    this.config = config;
    this.control = control;
    this.progress = progress;
    this.plugins = plugins;
    this.workers = workers;
    this.trackers = trackers;
    this.log = log;
    this.saving = saving;
  }

  /** Saves the state that the trained roles need to continue. */
  public interface Saving {
    /** Saves the checkpoint of the completed steps. */
    Path save() throws InterruptedException, IOException;
  }

  /** Number of plugins that were replaced in the run. */
  public int replaced() {
    return replaced;
  }

  /**
   * Waits until the next step may begin, and applies changes and pauses.
   *
   * @param done completed steps
   * @param notices receives notices for the user
   * @return the plugins of the step, to be closed after it; null if the run is to end
   */
  public @Nullable StepPlugins pass(int done, Consumer<String> notices)
      throws InterruptedException, IOException {
    String lastReason = "";
    long wait = 1;
    while (!control.stopped()) {
      boolean paused = control.paused(); // first: a swap before a resume counts from this step on
      change(done, notices);
      closeOutdated(notices);
      PluginRequirement<?> missing = missing();
      String reason = missing == null ? null : missing.notice() + refused;
      if (paused) {
        progress.state(State.PAUSED, null);
      } else if (reason == null) {
        try {
          StepPlugins ready = ready(done);
          if (ready != null) {
            begun = true;
            refused = "";
            return ready;
          }
        } catch (UserException e) {
          reason = refusal(e);
        }
      }
      if (reason != null && !paused) {
        begun = true;
        progress.state(State.WAITING, reason);
        if (!lastReason.equals(reason)) {
          lastReason = reason;
          notices.accept(lastReason);
        }
      }
      control.await(wait);
      wait = Math.min(2 * wait, MOST_MILLIS);
    }
    return null;
  }

  /**
   * The reason why a run waits for a registered plugin, such as a component that cannot be
   * activated or options missing in its new version. Null if the plugin was only missing for a
   * moment.
   *
   * @throws UserException if the run has not begun, so that its caller gets the error
   */
  private @Nullable String refusal(UserException e) {
    if (e instanceof MissingPluginException gone && (gone.returned(plugins) || missing() != null)) {
      remember(e);
      return null;
    }
    if (!begun) {
      throw e;
    }
    return e.getMessage() + ": waiting until another bundle or a swap fixes it";
  }

  private void remember(UserException e) {
    if (e.getMessage().contains(ActivationFailures.REFUSED)) {
      refused = "; it was there, but " + e.getMessage();
    }
  }

  /** Applies the requested configuration change. */
  private void change(int done, Consumer<String> notices) throws IOException {
    RunControl.Change change = control.changes();
    if (change.swaps().isEmpty()) {
      return;
    }
    config.set(change.config());
    EffectiveConfig.write(change.config());
    for (String swap : change.swaps()) {
      swapped++;
      notices.accept("from step " + done + " on: " + swap);
    }
  }

  /** Closes trackers and roles whose plugin is about to go or was replaced. */
  private void closeOutdated(Consumer<String> notices) throws InterruptedException, IOException {
    trackers.closeOutdated(run());
    Set<String> roles = workers.outdated();
    if (roles.isEmpty()) {
      return;
    }
    if (roles.stream().anyMatch(Roles.CHECKPOINTED::contains)) {
      handedOver = saving.save();
    }
    workers.closeRoles(roles);
    notices.accept("reopening: " + String.join(", ", roles));
  }

  private @Nullable PluginRequirement<?> missing() {
    return PluginRequirement.of(run(), plugins).stream()
        .filter(requirement -> requirement.missing(plugins))
        .findFirst()
        .orElse(null);
  }

  /** The plugins of the next step, or null if one was removed in the meantime. */
  private @Nullable StepPlugins ready(int done) throws InterruptedException {
    StepPlugins ready = null;
    try {
      ready = StepPlugins.of(run(), plugins);
      workers.openMissing(handedOver);
      handedOver = null;
      trackers.openMissing(run(), done);
      serves(done, ready);
      return ready;
    } catch (Throwable e) {
      if (ready != null) {
        ready.close();
      }
      if (e instanceof UserException gone && missing() != null) {
        remember(gone);
        return null;
      }
      throw e;
    }
  }

  /** Logs the bundle versions in use when they change. */
  private void serves(int done, StepPlugins ready) {
    Set<String> bundles = new LinkedHashSet<>(ready.bundles());
    bundles.addAll(workers.bundles());
    bundles.addAll(trackers.bundles());
    if (!served.equals(bundles)) {
      log.line("from step " + done + " on served by " + String.join(", ", bundles));
    }
    Set<String> others = new LinkedHashSet<>(bundles);
    others.removeAll(served);
    replaced += Math.max(swapped, served.isEmpty() ? 0 : others.size());
    swapped = 0;
    served = bundles;
    progress.running(String.join(", ", bundles));
  }

  private RunConfig run() {
    return config.get().run();
  }
}
