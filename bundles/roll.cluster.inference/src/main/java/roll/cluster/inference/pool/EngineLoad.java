package roll.cluster.inference.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the scheduler knows of one engine. */
final class EngineLoad<W> {
  /** Share of a new measurement in the speed. */
  private static final double NEWEST = 0.3;

  /** Part of the room that is used before anything is measured. */
  private static final int UNKNOWN = 8;

  /** So much faster one is thought to be with every change of weights that it got nothing for. */
  private static final double HOPE = 2;

  private final String name;
  private final int room;
  private final PrefixIndex prefixes = new PrefixIndex();

  /** What it works on, in the order given, and when that was in nanoseconds. */
  private final Map<PoolWork<W>, Long> working = new LinkedHashMap<>();

  private long outstanding;
  private double speed;

  /** Whether the speed is of one measurement, while kernels were compiled, or a guess. */
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

  Map<PoolWork<W>, Long> working() {
    return working;
  }

  /** Tokens of what it works on. */
  long outstanding() {
    return outstanding;
  }

  /** Tokens per nanosecond; 0 where nothing has been measured. */
  double speed() {
    return speed;
  }

  /** The same, or {@code otherwise}. */
  double speed(double otherwise) {
    return speed > 0 ? speed : otherwise;
  }

  void drain() {
    draining = true;
  }

  /** Whether it gets nothing more. */
  boolean isDraining() {
    return draining;
  }

  void pause(boolean now) {
    paused = now;
  }

  /** Whether it gets nothing new for now. */
  boolean isPaused() {
    return paused;
  }

  boolean isDrained() {
    return draining && working.isEmpty();
  }

  /** Nobody knows how fast one is that has not ended anything, so it gets less. */
  boolean takes() {
    int most = speed > 0 ? room : Math.max(1, room / UNKNOWN);
    return !draining && !paused && working.size() < most;
  }

  /** When it would be done with what it has and {@code work}, in nanoseconds from now. */
  double finish(PoolWork<W> work, double otherwise) {
    double most = Math.max(1, work.cost() - prefixes.known(work.prefix()));
    return (outstanding + most) / speed(otherwise);
  }

  void give(PoolWork<W> work, long now) {
    working.put(work, now);
    outstanding += work.cost();
    prefixes.add(work.prefix());
  }

  /** It has done {@code work}, or given it up. */
  void end(PoolWork<W> work, long now, boolean done) {
    Long begun = working.remove(work);
    if (begun == null) {
      return;
    }
    outstanding -= work.cost();
    if (done) {
      double measured = work.cost() / (double) Math.max(1, now - Math.max(begun, lastEnd));
      boolean first = speed == 0;
      speed = first || doubtful ? measured : speed + NEWEST * (measured - speed);
      doubtful = first;
      ended = true;
    }
    lastEnd = now;
  }

  /**
   * Nothing is cached any more; the speed of one that ended nothing since the last call is
   * doubtful.
   */
  void newWeights() {
    prefixes.clear();
    if (!ended) {
      speed *= HOPE;
      doubtful = speed > 0;
    }
    ended = false;
  }
}
