package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** Shares counted by hand. */
class RepetitionRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new RepetitionReward();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 3, 0",
    "a b, 3, 0",
    "a b c d, 3, 0",
    "a b c A  B c, 3, -0.25",
    "a a a a, 3, -0.5",
    "a b a b, 2, -0.333333333333",
    "a A a b, 1, -0.5",
    "' a a', 1, -0.5",
  })
  void repeatedGramsCount(String response, int size, double score) {
    assertEquals(score, score(Map.of("ngram_size", size), episode(response)), 1e-9);
  }
}
