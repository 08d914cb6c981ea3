package roll.runtime.config;

import java.util.List;
import java.util.Map;

/**
 * Where metrics are reported.
 *
 * @param trackers ids of the trackers, in the order given ({@code track_with})
 * @param options {@code tracker_kwargs} by tracker id
 */
public record TrackingConfig(List<String> trackers, Map<String, Map<String, Object>> options) {
  /** The options of {@code tracker}; empty where none are given. */
  public Map<String, Object> options(String tracker) {
    return options.getOrDefault(tracker, Map.of());
  }
}
