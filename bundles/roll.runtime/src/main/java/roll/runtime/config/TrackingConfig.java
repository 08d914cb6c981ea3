package roll.runtime.config;

import java.util.List;
import java.util.Map;

/**
 * The trackers that metrics are reported to, and the metrics' names.
 *
 * @param trackers ids of the trackers, in the order given ({@code track_with})
 * @param options {@code tracker_kwargs} by tracker id
 * @param names system whose names metrics are reported under in addition ({@code metric_names});
 *     {@link #OWN} for none
 */
public record TrackingConfig(
    List<String> trackers, Map<String, Map<String, Object>> options, String names) {
  /** Tracking configuration with the metrics' own names alone, which are ROLL's. */
  public static final String OWN = "roll";

  /** Creates the configuration with the metrics' own names. */
  public TrackingConfig(List<String> trackers, Map<String, Map<String, Object>> options) {
    this(trackers, options, OWN);
  }

  /** Returns the options of {@code tracker}; empty if there are none. */
  public Map<String, Object> options(String tracker) {
    return options.getOrDefault(tracker, Map.of());
  }
}
