package roll.rollout.schedule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.rollout.supervise.EnvironmentException;
import roll.rollout.supervise.EpisodeSlot;
import roll.runtime.pipeline.EpisodeFault;

/** Metrics of the scheduler, and faults of environments, since groups were last taken. */
final class EpisodeCounts {
  private static final List<String> REPORTED =
      List.of("failed_episodes", "lost_groups", "group_filter_count", "redundant_episodes");

  private final Map<String, Double> metrics = new LinkedHashMap<>();
  private final Map<List<String>, EpisodeFault> faults = new LinkedHashMap<>();

  /** Creates counts of zero, without faults. */
  EpisodeCounts() {
    clear();
  }

  /** Sets all counts to zero, and drops the faults. */
  void clear() {
    metrics.clear();
    REPORTED.forEach(name -> metrics.put("scheduler/" + name, 0.0));
    faults.clear();
  }

  /** Adds {@code more} to the scheduler's metric {@code name}. */
  void add(String name, int more) {
    metrics.merge("scheduler/" + name, (double) more, Double::sum);
  }

  /** Adds one to the metric {@code name} of {@code tag}. */
  void ofTag(String tag, String name) {
    metrics.merge("env/" + tag + "/" + name, 1.0, Double::sum);
  }

  /**
   * Adds a fault; of those of a tag with the same message the first is kept.
   *
   * @param then consequence, added to the message
   */
  void fault(EpisodeSlot slot, EnvironmentException failure, String then) {
    String problem = slot + ": " + failure.getMessage() + then;
    faults.putIfAbsent(
        List.of(slot.tag(), String.valueOf(failure.getMessage())),
        new EpisodeFault(slot.tag(), slot.seed(), problem, failure.stack()));
  }

  /** Returns the counts by name of the metric. */
  Map<String, Double> metrics() {
    return Map.copyOf(metrics);
  }

  /** Returns the faults, in the order in which they occurred. */
  List<EpisodeFault> faults() {
    return List.copyOf(faults.values());
  }
}
