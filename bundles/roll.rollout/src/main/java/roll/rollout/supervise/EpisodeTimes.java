package roll.rollout.supervise;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Times of the activities of an episode since its last response. Used by any thread. */
public final class EpisodeTimes {
  private final LongSupplier clock;
  private final Map<EpisodeActivity, Long> nanos = new EnumMap<>(EpisodeActivity.class);
  private long since;

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
  public synchronized void restart() {
    nanos.clear();
    since = clock.getAsLong();
  }

  /** Adds the time since {@code begun}, as far as it is later than the last response. */
  synchronized void add(EpisodeActivity activity, long begun) {
    long spent = clock.getAsLong() - begun - Math.max(0, since - begun);
    nanos.merge(activity, spent, Long::sum);
  }

  /**
   * Returns the share of each activity in the time since the last response, in total 1; what is not
   * measured is {@link EpisodeActivity#AGENT}.
   */
  public synchronized Map<EpisodeActivity, Double> shares() {
    long measured = nanos.values().stream().mapToLong(Long::longValue).sum();
    long whole = Math.max(1, Math.max(measured, clock.getAsLong() - since));
    Map<EpisodeActivity, Double> shares = new EnumMap<>(EpisodeActivity.class);
    for (EpisodeActivity activity : EpisodeActivity.values()) {
      long rest = activity == EpisodeActivity.AGENT ? whole - measured : 0;
      shares.put(activity, (double) (nanos.getOrDefault(activity, 0L) + rest) / whole);
    }
    return shares;
  }
}
