package roll.reward.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Trajectory;
import roll.api.reward.Grade;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** Scores by the rule of ROLL's CrossThinkQA worker, computed by hand. */
class MultipleChoiceRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new MultipleChoiceReward();
  }

  @Override
  protected Map<String, Object> facts() {
    return Map.of("answer", "B. both");
  }

  private static Trajectory answered(String response) {
    return episode(response).withFacts(Map.of("answer", "B. both"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "so \\boxed{B} | 1 | 1 | 1",
        "\\boxed{A} no, \\boxed{(B)} | 1 | 1 | 1",
        "so \\boxed{A} | -0.5 | -1 | -1",
        "so \\boxed{b} | -0.5 | -1 | -1",
        "So I say: the Answer is B. | 0.5 | 1 | -1",
        "the answer is A | -1 | -1 | -1",
        "Both | 0.5 | 1 | -1",
        "no letter | -1 | -1 | -1",
        "\\boxed{B}</think>the answer is C | -1 | -1 | -1",
        "<think>A</think>\\boxed{B} | 1 | 1 | 1",
      })
  void theFirstCapitalLetterCounts(String response, double soft, double loose, double strict) {
    assertEquals(soft, score(Map.of(), answered(response)));
    assertEquals(loose, score(Map.of("reward_type", "loose"), answered(response)));
    assertEquals(strict, score(Map.of("reward_type", "strict"), answered(response)));
  }

  @Test
  void theLetterIsTheAnswerAndAPositiveScoreIsCorrect() {
    Grade loose = grade(reward(Map.of()), answered("the answer is B"));
    assertEquals("B", loose.answer());
    assertEquals(1, loose.details().get("acc"));
    assertEquals(
        0, grade(reward(Map.of("reward_type", "strict")), answered("B")).details().get("acc"));
    assertNull(grade(reward(Map.of()), answered("")).answer());
  }
}
