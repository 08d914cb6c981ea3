package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.rollout.supervise.EnvironmentException;

/** The last line of a program. */
@NullMarked
class AgentResultTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'reward': 0.5} | 0.5",
        "{'reward': null, 'answer': null} | 0",
        "{'answer': 'x'} | 0",
        "{'reward': NaN} | NaN",
        "{'reward': -Infinity} | NaN",
        "{'reward': 1e999} | NaN",
      })
  void aRewardIsANumberOrNone(String line, double reward) {
    assertEquals(reward, AgentResult.read(line.replace('\'', '"')).reward());
  }

  @Test
  void aMetricThatIsNoFiniteNumberIsMissing() {
    String line =
        "{\"id\": \"7\", \"answer\": \"NaN \\\" Infinity\", \"metrics\":"
            + " {\"a\": NaN, \"b\": 2, \"c\": null, \"d\": Infinity}}";
    AgentResult result = AgentResult.read(line);
    assertEquals(Map.of("b", 2.0), result.metrics());
    assertEquals("NaN \" Infinity", result.answer());
    assertEquals("7", AgentResult.id(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"reward\": \"much\"}",
        "{\"metrics\": {\"a\": []}}",
        "{\"reward\": nan}",
        "NaN",
        "{\"reward\": NaN",
        "{\"reward\": NaN} \"",
      })
  void whatIsNoResultIsRefused(String line) {
    EnvironmentException e = assertThrows(EnvironmentException.class, () -> AgentResult.read(line));
    assertTrue(String.valueOf(e.getMessage()).startsWith("the program's "), e.getMessage());
  }
}
