package roll.env.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rewards that tests write. */
@NullMarked
class RewardFileTest {
  private static double text(String text) {
    return RewardFile.ofText(text).reward().orElse(-99);
  }

  @Test
  void aTextIsANumber() {
    assertEquals(1, text("1\n"));
    assertEquals(0.25, text(" 0.25"));
    assertEquals(-2, text("-2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NaN", "Infinity", "-Infinity", "1e999", "one", "1 0", "{}"})
  void otherTextsAreNoReward(String text) {
    assertEquals(OptionalDouble.empty(), RewardFile.ofText(text).reward());
  }

  @Test
  void theEntryRewardIsTheReward() {
    RewardFile file = RewardFile.ofJson("{\"reward\": 0.5, \"style\": 2, \"fast\": true}");
    assertEquals(OptionalDouble.of(0.5), file.reward());
    assertEquals(Map.of("reward", 0.5, "style", 2.0, "fast", 1.0), file.parts());
  }

  @Test
  void withoutItTheShareOfPassedTestsIs() {
    assertEquals(
        OptionalDouble.of(0.75),
        RewardFile.ofJson("{\"a\": true, \"b\": false, \"c\": true, \"d\": 1}").reward());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[1]",
        "1",
        "{\"reward\": null}",
        "{\"reward\": \"NaN\"}",
        "{\"reward\": 1e999}",
        "{\"reward\": \"much\"}",
        "{\"reward\": {\"reward\": 1}}",
        "{\"\\ud800\": 1}",
        "{\"reward\": 1"
      })
  void otherJsonIsNoReward(String json) {
    assertEquals(OptionalDouble.empty(), RewardFile.ofJson(json).reward());
  }

  @Test
  void deepJsonIsNoReward() {
    assertEquals(OptionalDouble.empty(), RewardFile.ofJson("[".repeat(60_000)).reward());
  }
}
