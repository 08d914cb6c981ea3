package roll.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.config.RunConfig;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;

/** All trackers of a run as one. */
final class Trackers implements AutoCloseable {
  private final List<Slot.Lease<Tracker>> leases = new ArrayList<>();
  private final List<Tracking> open = new ArrayList<>();

  /** Opens every tracker the configuration names; they will see steps from {@code firstStep} on. */
  static Trackers open(RunConfig run, Slots slots, int firstStep) throws InterruptedException {
    Trackers trackers = new Trackers();
    try {
      for (String id : run.trackers()) {
        slots.require("track_with", Tracker.class, "roll.tracker", id);
        try (Slot<Tracker> slot = slots.open(Tracker.class, "roll.tracker", id)) {
          Slot.Lease<Tracker> lease = slot.lease(() -> true, notice -> {});
          if (lease != null) {
            trackers.leases.add(lease);
            TrackedRun tracked =
                new TrackedRun(
                    run.expName(),
                    run.outputDir(),
                    run.schedule().maxSteps(),
                    firstStep,
                    run.trackerOptions().getOrDefault(id, Map.of()));
            trackers.open.add(lease.service().open(tracked));
          }
        }
      }
      return trackers;
    } catch (Throwable e) {
      trackers.close();
      throw e;
    }
  }

  void log(int step, Map<String, Double> metrics) {
    open.forEach(tracking -> tracking.log(step, metrics));
  }

  void notice(String line) {
    open.forEach(tracking -> tracking.notice(line));
  }

  void flush() {
    open.forEach(Tracking::flush);
  }

  @Override
  public void close() {
    open.forEach(Tracking::close);
    leases.forEach(Slot.Lease::close);
  }
}
