package roll.rollout.supervise;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/** Times of the activities of an episode since its last response. Used by any thread. */
public final class EpisodeTimes {
  private static final EpisodeActivity[] ALL = EpisodeActivity.values();

  private final LongSupplier clock;
  private final AtomicLongArray nanos = new AtomicLongArray(ALL.length);
  private volatile long since;

  /**
   * Creates the times of an episode that begins.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  EpisodeTimes(LongSupplier clock) {
    this.clock = clock;
    this.since = clock.getAsLong();
  }

  /** Starts again: the episode has a response. */
  public void restart() {
    for (int i = 0; i < ALL.length; i++) {
      nanos.set(i, 0);
    }
    since = clock.getAsLong();
  }

  /** Adds the time since {@code begun}, as far as it is later than the last response. */
  void add(EpisodeActivity activity, long begun) {
    long spent = clock.getAsLong() - begun - Math.max(0, since - begun);
    nanos.addAndGet(activity.ordinal(), spent);
  }

  /**
   * Returns the share of each activity in the time since the last response, in total 1; what is not
   * measured is {@link EpisodeActivity#AGENT}.
   */
  public Map<EpisodeActivity, Double> shares() {
    long measured = 0;
    for (int i = 0; i < ALL.length; i++) {
      measured += nanos.get(i);
    }
    long whole = Math.max(1, Math.max(measured, clock.getAsLong() - since));
    Map<EpisodeActivity, Double> shares = new EnumMap<>(EpisodeActivity.class);
    for (EpisodeActivity activity : ALL) {
      long rest = activity == EpisodeActivity.AGENT ? whole - measured : 0;
      shares.put(activity, (double) (nanos.get(activity.ordinal()) + rest) / whole);
    }
    return shares;
  }
}
