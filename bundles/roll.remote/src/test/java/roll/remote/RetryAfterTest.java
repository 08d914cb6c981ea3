package roll.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  private static double seconds(Map<String, List<String>> headers) {
    return RetryAfter.of(HttpHeaders.of(headers, (name, value) -> true), 3, 600);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7 | 7",
        "' 0.25 ' | 0.25",
        "86400 | 600",
        "Wed, 21 Oct 2015 07:28:00 GMT | 0",
        "Wed, 21 Oct 2235 07:28:00 GMT | 600",
        "soon | 3",
        "-7 | 3",
        "'' | 3",
      })
  void pausesAreSecondsOrDates(String said, double seconds) {
    assertEquals(seconds, seconds(Map.of("Retry-After", List.of(said))));
  }

  @Test
  void whereNothingIsSaidItIsTheOther() {
    assertEquals(3, seconds(Map.of()));
  }
}
