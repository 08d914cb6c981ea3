package roll.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.plugin.MissingPluginException;
import roll.api.plugin.Plugins;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RunStatus.State;

/**
 * What happens between two steps: plugins are replaced, orders are followed, and a run that lacks
 * something waits.
 */
final class Boundary {
  /** How soon a run that waits looks again; the longer it has waited, the later. */
  private static final long MOST_MILLIS = 200;

  private final AtomicReference<LoadedConfig> config;
  private final Orders orders;
  private final Progress progress;
  private final Plugins plugins;
  private final Crew crew;
  private final Trackers trackers;
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
   * Of one run.
   *
   * @param config the configuration as it is from step to step; what is ordered is put there
   * @param saving saves the state of roles that are opened anew
   */
  Boundary(
      AtomicReference<LoadedConfig> config,
      Orders orders,
      Progress progress,
      Plugins plugins,
      Crew crew,
      Trackers trackers,
      RunLog log,
      Saving saving) {
    this.config = config;
    this.orders = orders;
    this.progress = progress;
    this.plugins = plugins;
    this.crew = crew;
    this.trackers = trackers;
    this.log = log;
    this.saving = saving;
  }

  /** Saves what the trained roles need to continue. */
  interface Saving {
    /** The checkpoint of the steps that are complete. */
    Path save() throws InterruptedException, IOException;
  }

  /** How many plugins were replaced so far. */
  int replaced() {
    return replaced;
  }

  /**
   * Waits until the next step can begin.
   *
   * @param done steps that are complete
   * @param notices is told what a person should know
   * @return what serves the step, to be closed after it; null where the run is to end
   */
  @Nullable Served pass(int done, Consumer<String> notices)
      throws InterruptedException, IOException {
    String told = "";
    long wait = 1;
    while (!orders.stopped()) {
      change(done, notices);
      letGo(notices);
      Need<?> missing = missing();
      String reason = missing == null ? null : missing.notice() + refused;
      if (orders.paused()) {
        progress.state(State.PAUSED, null);
      } else if (reason == null) {
        try {
          Served ready = ready(done);
          if (ready != null) {
            begun = true;
            refused = "";
            return ready;
          }
        } catch (UserException e) {
          reason = refusal(e);
        }
      }
      if (reason != null && !orders.paused()) {
        begun = true;
        progress.state(State.WAITING, reason);
        if (!told.equals(reason)) {
          told = reason;
          notices.accept(told);
        }
      }
      orders.await(wait);
      wait = Math.min(2 * wait, MOST_MILLIS);
    }
    return null;
  }

  /**
   * Why the run waits: what is registered may be refused, as by a component that cannot be made or
   * options that its new version does not have. Null where there is nothing to tell: it was gone
   * for a moment.
   *
   * @throws UserException if the run has not begun, so that whoever started it is told
   */
  private @Nullable String refusal(UserException e) {
    if (e instanceof MissingPluginException gone && (gone.returned(plugins) || missing() != null)) {
      remember(e);
      return null;
    }
    if (!begun) {
      throw e;
    }
    return e.getMessage() + ": waiting until another bundle or a swap mends it";
  }

  private void remember(UserException e) {
    if (e.getMessage().contains(Failures.REFUSED)) {
      refused = "; it was there, but " + e.getMessage();
    }
  }

  /** Takes over what was ordered. */
  private void change(int done, Consumer<String> notices) throws IOException {
    Orders.Change change = orders.changes();
    if (change.swaps().isEmpty()) {
      return;
    }
    config.set(change.config());
    write(change.config());
    for (String swap : change.swaps()) {
      swapped++;
      notices.accept("from step " + done + " on: " + swap);
    }
  }

  /** Writes {@code config.yaml}; one that is half written is never seen. */
  static void write(LoadedConfig config) throws IOException {
    Path folder = config.run().outputDir();
    Path beside = folder.resolve(".config.yaml.tmp");
    Plain.replace(beside, config.effectiveYaml());
    Files.move(beside, folder.resolve("config.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Lets go what is about to go or was replaced. */
  private void letGo(Consumer<String> notices) throws InterruptedException, IOException {
    trackers.letGo(run());
    Set<String> roles = crew.outdated();
    if (roles.isEmpty()) {
      return;
    }
    if (roles.stream().anyMatch(Roles.KEPT::contains)) {
      handedOver = saving.save();
    }
    crew.letGo(roles);
    notices.accept("opening anew: " + String.join(", ", roles));
  }

  private @Nullable Need<?> missing() {
    return Need.of(run(), plugins).stream()
        .filter(need -> need.missing(plugins))
        .findFirst()
        .orElse(null);
  }

  /** What serves the next step, or null where something has gone this very moment. */
  private @Nullable Served ready(int done) throws InterruptedException {
    Served ready = null;
    try {
      ready = Served.of(run(), plugins);
      crew.takeUp(handedOver);
      handedOver = null;
      trackers.takeUp(run(), done);
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

  /** Logs which bundle versions serve, when that changes. */
  private void serves(int done, Served ready) {
    Set<String> bundles = new LinkedHashSet<>(ready.bundles());
    bundles.addAll(crew.bundles());
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
