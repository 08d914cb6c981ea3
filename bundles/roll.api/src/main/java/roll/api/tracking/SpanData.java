package roll.api.tracking;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A finished span, as OpenTelemetry defines it.
 *
 * @param context its ids
 * @param parent the span it is a part of, or null for the root of a trace
 * @param server whether it answers a request of another process
 * @param link a related span of another trace, or null
 * @param name the same for all spans of a kind
 * @param start nanoseconds since the epoch
 * @param end nanoseconds since the epoch
 * @param attributes texts, {@code Long}, {@code Double} and {@code Boolean} by name
 * @param failure why it failed; empty if it did not
 */
public record SpanData(
    SpanContext context,
    @Nullable SpanContext parent,
    boolean server,
    @Nullable SpanContext link,
    String name,
    long start,
    long end,
    Map<String, Object> attributes,
    String failure) {
  /** Copies the attributes. */
  public SpanData {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }
}
