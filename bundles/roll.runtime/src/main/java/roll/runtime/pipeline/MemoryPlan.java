package roll.runtime.pipeline;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;

/**
 * The expected memory of a run on each device in each phase.
 *
 * @param shares of the roles, by phase in the order of a step
 * @param capacity bytes by device; -1 is the machine, for roles that have no devices
 * @param unknown roles whose strategy does not declare its memory
 * @param refusal one line with what does not fit and what to change, or null if all fits
 */
public record MemoryPlan(
    List<Share> shares,
    Map<Integer, Long> capacity,
    List<String> unknown,
    @Nullable String refusal) {
  /** Creates a memory plan with immutable copies of the collections. */
  public MemoryPlan {
    shares = List.copyOf(shares);
    capacity = Map.copyOf(capacity);
    unknown = List.copyOf(unknown);
  }

  /**
   * The expected memory of one role on one device in one phase.
   *
   * @param phase as in the metric {@code time/step_<phase>}; if roles take turns in a phase,
   *     followed by a slash and the active role
   */
  public record Share(String phase, String role, SessionMemory memory) {}

  /** Phases in the order of a step. */
  public List<String> phases() {
    return shares.stream().map(Share::phase).distinct().toList();
  }

  /** Returns the bytes of device memory that all roles hold together in {@code phase}. */
  public Map<Integer, Long> held(String phase) {
    Map<Integer, Long> held = new TreeMap<>();
    for (Share share : shares) {
      if (share.phase().equals(phase)) {
        held.merge(share.memory().device(), share.memory().resident(), Long::sum);
      }
    }
    return held;
  }
}
