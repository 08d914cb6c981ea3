package roll.api.tracking;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a span.
 *
 * @param traceId 32 lower-case hexadecimal digits
 * @param spanId 16 lower-case hexadecimal digits
 */
public record SpanContext(String traceId, String spanId) {
  private static final Pattern HEADER =
      Pattern.compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  /** Returns the context of a sampled span as the W3C header {@code traceparent}. */
  public String traceparent() {
    return "00-" + traceId + "-" + spanId + "-01";
  }

  /** Returns the context in a header {@code traceparent}; null if it is invalid or not sampled. */
  public static @Nullable SpanContext parse(String header) {
    Matcher parts = HEADER.matcher(header.strip());
    if (!parts.matches() || (header.strip().startsWith("00") && parts.group(4) != null)) {
      return null;
    }
    boolean sampled = (Integer.parseInt(parts.group(3), 16) & 1) == 1;
    SpanContext context = new SpanContext(parts.group(1), parts.group(2));
    boolean zero = context.traceId.matches("0+") || context.spanId.matches("0+");
    return sampled && !zero ? context : null;
  }
}
