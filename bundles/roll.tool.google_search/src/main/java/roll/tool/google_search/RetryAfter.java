package roll.tool.google_search;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} (RFC 9110, 10.2.3): seconds or a date. */
final class RetryAfter {
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private RetryAfter() {}

  /** How long to wait, at most a minute; null where nothing that can be read is said. */
  static @Nullable Duration of(HttpHeaders headers) {
    String text = headers.firstValue("Retry-After").orElse("").strip();
    Duration pause;
    try {
      pause =
          text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")
              ? Duration.ofNanos((long) (Double.parseDouble(text) * 1e9))
              : Duration.between(
                  Instant.now(),
                  ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return null;
    }
    return bounded(pause);
  }

  /** {@code pause}, if nobody would think that the program hangs. */
  static Duration bounded(Duration pause) {
    return pause.isNegative() ? Duration.ZERO : pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }
}
