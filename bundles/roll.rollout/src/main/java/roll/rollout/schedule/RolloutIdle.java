package roll.rollout.schedule;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.rollout.generation.GenerationBarrier.Arrival;
import roll.rollout.supervise.EpisodeActivity;
import roll.rollout.supervise.EpisodeSlot;

/**
 * The time in which no response is generated, by the activity of the episode that ended each wait,
 * which the others waited for. Confined to one thread.
 */
final class RolloutIdle {
  private static final String PREFIX = "time/rollout_idle_";
  private static final String STRAGGLER = "time/rollout_straggler/";

  private final Map<EpisodeActivity, Double> nanos = new EnumMap<>(EpisodeActivity.class);
  private long queue;
  private @Nullable EpisodeSlot straggler;
  private long alone;

  /**
   * Adds a wait.
   *
   * @param waited nanoseconds without a response in progress
   * @param last the episode that ended the wait, or null if none did
   */
  void add(long waited, @Nullable Arrival last) {
    if (last == null || waited <= 0) {
      return;
    }
    last.shares().forEach((activity, share) -> nanos.merge(activity, share * waited, Double::sum));
    long without = Math.min(waited, last.aloneNanos());
    if (without > alone) {
      alone = without;
      straggler = last.slot();
    }
  }

  /** Adds nanoseconds in which no episode ran: enough groups are ahead of training. */
  void addQueue(long waited) {
    queue += Math.max(0, waited);
  }

  /**
   * Adds the seconds of each activity, and the episode that was waited for longest while no other
   * ran, with those seconds; starts again.
   */
  void take(Map<String, Double> metrics) {
    for (EpisodeActivity activity : EpisodeActivity.values()) {
      metrics.put(PREFIX + activity.word(), nanos.getOrDefault(activity, 0.0) / 1e9);
    }
    metrics.put(STRAGGLER + "seconds", alone / 1e9);
    EpisodeSlot slot = straggler;
    if (slot != null) {
      metrics.put(STRAGGLER + "group", (double) slot.group());
      metrics.put(STRAGGLER + "episode", (double) slot.episode());
      metrics.put(STRAGGLER + "member", (double) slot.member());
    }
    nanos.clear();
    straggler = null;
    alone = 0;
  }

  /** Adds the seconds in which no episode ran; starts again. */
  void takeQueue(Map<String, Double> metrics) {
    metrics.put(PREFIX + "queue", queue / 1e9);
    queue = 0;
  }
}
