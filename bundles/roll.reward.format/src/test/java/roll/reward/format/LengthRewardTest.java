package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** Scores computed by hand: cos 45° = 0.707107. */
class LengthRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new LengthReward();
  }

  @Override
  protected Map<String, Object> options() {
    return Map.of("target", 2, "limit", 10);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 300, linear, 0, 1",
    "100, 300, linear, 100, 1",
    "100, 300, linear, 150, 0.75",
    "100, 300, linear, 300, 0",
    "100, 300, linear, 400, 0",
    "100, 300, cosine, 150, 0.853553",
    "100, 300, cosine, 200, 0.5",
    "100, 300, cosine, 250, 0.146447",
    "200, 0, linear, 50, 0.25",
    "200, 0, linear, 500, 1",
  })
  void liesBetweenTargetAndLimit(int target, int limit, String shape, int length, double score) {
    Map<String, Object> options =
        Map.of("target", target, "limit", limit, "shape", shape, "unit", "characters");
    assertEquals(score, score(options, episode("ü".repeat(length))), 1e-6);
  }

  @Test
  void bothEndsHaveTheirScores() {
    Map<String, Object> options = Map.of("target", 2, "limit", 6, "at_target", 0, "at_limit", -2);
    assertEquals(0, score(options, episode("a", "b")));
    assertEquals(-0.5, score(options, episode("a", "b", "c"))); // one token per turn
    assertEquals(-2, score(options, episode("a", "b", "c", "d", "e", "f", "g")));
  }

  @Test
  void charactersAreThosePeopleSee() {
    Map<String, Object> options = Map.of("target", 0, "limit", 4, "unit", "characters");
    assertEquals(0.5, score(options, episode("🐧", "x")));
  }

  @Test
  void targetAndLimitDiffer() {
    assertEquals(
        "rewards.limit: expected another length than the target, found '3'",
        userError(() -> reward(Map.of("target", 3, "limit", 3))));
  }
}
