package roll.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import roll.api.config.RunConfig;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;

/** All trackers of a run as one. */
final class Trackers implements AutoCloseable {
  private final Plugins plugins;
  private final Map<String, Open> open = new LinkedHashMap<>();

  /** None so far. */
  Trackers(Plugins plugins) {
    this.plugins = plugins;
  }

  /** A tracker that is told of the run. */
  private record Open(Lease<Tracker> lease, Tracking tracking, Map<String, Object> options) {
    void close() {
      try (lease) {
        tracking.close();
      }
    }
  }

  /** Opens every tracker that {@code run} names and that is not open; it sees {@code nextStep}. */
  void takeUp(RunConfig run, int nextStep) {
    for (Need<Tracker> need : Need.trackers(run)) {
      String id = need.named().name();
      if (open.containsKey(id)) {
        continue;
      }
      Map<String, Object> options = options(run, id);
      Lease<Tracker> lease = need.lease(plugins);
      try {
        TrackedRun tracked =
            new TrackedRun(
                run.expName(), run.outputDir(), run.schedule().maxSteps(), nextStep, options);
        open.put(id, new Open(lease, lease.service().open(tracked), options));
      } catch (Throwable e) {
        lease.close();
        throw e;
      }
    }
  }

  private static Map<String, Object> options(RunConfig run, String id) {
    return run.trackerOptions().getOrDefault(id, Map.of());
  }

  /** Closes those that {@code run} no longer names so, or that others have taken the place of. */
  boolean letGo(RunConfig run) {
    Set<String> outdated = new TreeSet<>();
    open.forEach(
        (id, tracker) -> {
          if (!run.trackers().contains(id)
              || !tracker.options().equals(options(run, id))
              || tracker.lease().outdated()) {
            outdated.add(id);
          }
        });
    for (String id : outdated) {
      Open tracker = open.remove(id);
      if (tracker != null) {
        tracker.close();
      }
    }
    return !outdated.isEmpty();
  }

  /** Bundles and versions they come from. */
  List<String> bundles() {
    return open.values().stream().map(tracker -> tracker.lease().bundle()).toList();
  }

  void log(int step, Map<String, Double> metrics) {
    open.values().forEach(tracker -> tracker.tracking().log(step, metrics));
  }

  void notice(String line) {
    open.values().forEach(tracker -> tracker.tracking().notice(line));
  }

  void flush() {
    open.values().forEach(tracker -> tracker.tracking().flush());
  }

  @Override
  public void close() {
    new ArrayList<>(open.values()).forEach(Open::close);
    open.clear();
  }
}
