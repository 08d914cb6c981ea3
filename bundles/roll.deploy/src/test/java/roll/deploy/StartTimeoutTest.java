package roll.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartTimeoutTest {
  private static final String LATE = "its activator or a component did not return within ";

  @Test
  void secondsAreThoseOfTheProperty() {
    assertEquals(LATE + "7 s", StartTimeout.of("7").complaint());
  }

  /** Otherwise no command works. */
  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "abc", "0", "-1", "1.5", "99999999999999999999"})
  void anInvalidValueIsTheDefault(String value) {
    assertEquals(LATE + "60 s", StartTimeout.of(value).complaint());
  }
}
