package roll.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedSearchTest {
  @Test
  void whatIsThereIsFoundAsByAMatcher() {
    Pattern pattern = Pattern.compile("(\\w)=(\\d+)");
    String text = "a=1, b=22";
    assertTrue(BoundedSearch.finds(pattern, text));
    assertEquals(Optional.of("1"), BoundedSearch.first(pattern, text).map(found -> found.group(2)));
    assertEquals(
        List.of("a=1", "b=22"),
        BoundedSearch.all(pattern, text).stream().map(MatchResult::group).toList());
    assertEquals(List.of(), BoundedSearch.all(pattern, "nothing"));
    assertTrue(BoundedSearch.matches(pattern, "a=1"));
    assertFalse(BoundedSearch.matches(pattern, text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(a+)+$", "(a|aa)*b", "(?:a*)*b", "(a|b)*c", "a*a*a*a*a*b", "(.*)(.*)(.*)x"})
  void whatTakesAgesOrTheWholeStackIsNotFound(String expression) {
    Pattern pattern = Pattern.compile(expression);
    for (int length : new int[] {40, 100_000}) {
      String text = "a".repeat(length) + "!";
      assertTimeout(
          Duration.ofSeconds(30),
          () -> {
            assertFalse(BoundedSearch.finds(pattern, text));
            assertFalse(BoundedSearch.matches(pattern, text));
          });
    }
  }
}
