package roll.cluster.inference.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/** Load, measured speed and cached prompts of one engine, for the scheduler. */
final class EngineLoad<W> {
  /** Weight of a new measurement in the moving average of the speed. */
  private static final double SMOOTHING = 0.3;

  /** Divisor of the capacity as long as nothing is measured. */
  private static final int UNMEASURED = 8;

  /** Factor of the assumed speed for each weight version in which the engine got nothing. */
  private static final double GROWTH = 2;

  private final String name;
  private final int room;
  private final PrefixIndex prefixes = new PrefixIndex();

  /** Running items with their start in nanoseconds, in order. */
  private final Map<WorkItem<W>, Long> working = new LinkedHashMap<>();

  private long outstanding;
  private double speed;

  /** Whether the speed is a guess, or a single measurement, during which kernels were compiled. */
  private boolean doubtful;

  private boolean ended;
  private long lastEnd = Long.MIN_VALUE;
  private boolean draining;
  private boolean paused;

  EngineLoad(String name, int room) {
    this.name = name;
    this.room = room;
  }

  String name() {
    return name;
  }

  Map<WorkItem<W>, Long> working() {
    return working;
  }

  /** Returns the tokens of the running items. */
  long outstanding() {
    return outstanding;
  }

  /** Returns the tokens per nanosecond; 0 before the first measurement. */
  double speed() {
    return speed;
  }

  /** Returns the tokens per nanosecond; {@code otherwise} before the first measurement. */
  double speed(double otherwise) {
    return speed > 0 ? speed : otherwise;
  }

  void drain() {
    draining = true;
  }

  /** Returns whether the engine gets no more items. */
  boolean isDraining() {
    return draining;
  }

  void pause(boolean now) {
    paused = now;
  }

  /** Returns whether the engine gets no items for now. */
  boolean isPaused() {
    return paused;
  }

  boolean isDrained() {
    return draining && working.isEmpty();
  }

  /** Returns whether the engine has capacity, which is smaller before the first measurement. */
  boolean takes() {
    int most = speed > 0 ? room : Math.max(1, room / UNMEASURED);
    return !draining && !paused && working.size() < most;
  }

  /**
   * Returns the nanoseconds until the engine would have finished {@code work} after its running
   * items.
   */
  double finish(WorkItem<W> work, double otherwise) {
    double most = Math.max(1, work.cost() - prefixes.known(work.prefix()));
    return (outstanding + most) / speed(otherwise);
  }

  void give(WorkItem<W> work, long now) {
    working.put(work, now);
    outstanding += work.cost();
    prefixes.add(work.prefix());
  }

  /** Removes {@code work}, which is done or was given up by the engine. */
  void end(WorkItem<W> work, long now, boolean done) {
    Long begun = working.remove(work);
    if (begun == null) {
      return;
    }
    outstanding -= work.cost();
    if (done) {
      double measured = work.cost() / (double) Math.max(1, now - Math.max(begun, lastEnd));
      boolean first = speed == 0;
      speed = first || doubtful ? measured : speed + SMOOTHING * (measured - speed);
      doubtful = first;
      ended = true;
    }
    lastEnd = now;
  }

  /** Clears the cached prompts; the speed becomes a guess if nothing ended since the last call. */
  void newWeights() {
    prefixes.clear();
    if (!ended) {
      speed *= GROWTH;
      doubtful = speed > 0;
    }
    ended = false;
  }
}
