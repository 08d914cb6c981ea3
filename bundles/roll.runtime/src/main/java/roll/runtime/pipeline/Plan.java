package roll.runtime.pipeline;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.memory.DeviceMemory;

/**
 * What a run is expected to hold on each device in each phase.
 *
 * @param shares of the roles, by phase in the order of a step
 * @param capacity bytes by device; -1 is the machine, for roles that have no devices
 * @param unknown roles whose strategy does not say what it holds
 * @param refusal one line that says what does not fit and what to change, or null where all fits
 */
public record Plan(
    List<Share> shares,
    Map<Integer, Long> capacity,
    List<String> unknown,
    @Nullable String refusal) {
  /** A plan that does not change. */
  public Plan {
    shares = List.copyOf(shares);
    capacity = Map.copyOf(capacity);
    unknown = List.copyOf(unknown);
  }

  /**
   * What one role holds on one device in one phase.
   *
   * @param phase as the metric {@code time/step_<phase>} names it; where roles take turns in a
   *     phase, a slash and the role that works
   */
  public record Share(String phase, String role, DeviceMemory memory) {}

  /** Phases in the order of a step. */
  public List<String> phases() {
    return shares.stream().map(Share::phase).distinct().toList();
  }

  /** Bytes of the devices' own memory that all roles hold together in {@code phase}. */
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
