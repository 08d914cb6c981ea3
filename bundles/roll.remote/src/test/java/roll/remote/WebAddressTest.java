package roll.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebAddressTest {
  @ParameterizedTest
  @ValueSource(strings = {"http://localhost:8000/v1", "HTTPS://h", "https://[::1]/a?b=c"})
  void theseAreSome(String text) {
    assertEquals(Optional.of(URI.create(text)), WebAddress.of(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost", "localhost:80", "http://a b", "file:///etc", "http:/a"})
  void theseAreNone(String text) {
    assertEquals(Optional.empty(), WebAddress.of(text));
  }
}
