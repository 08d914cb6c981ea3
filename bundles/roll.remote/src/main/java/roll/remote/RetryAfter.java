package roll.remote;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** Parser of the header {@code Retry-After} (RFC 9110, 10.2.3): seconds or a date. */
final class RetryAfter {
  private RetryAfter() {}

  /**
   * Returns the seconds to wait, at most {@code longest}; {@code otherwise} for a missing or
   * invalid header.
   */
  static double of(HttpHeaders headers, double otherwise, double longest) {
    String text = headers.firstValue("Retry-After").orElse("").strip();
    try {
      double pause =
          text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? Double.parseDouble(text) : until(text);
      return Math.clamp(pause, 0, longest);
    } catch (DateTimeParseException e) {
      return otherwise;
    }
  }

  private static double until(String date) {
    Instant end = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    return Duration.between(Instant.now(), end).toMillis() / 1e3;
  }
}
