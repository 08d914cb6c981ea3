package roll.reward.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** Letters in responses to rows in the shapes of MMLU, MMLU-Pro and ARC. */
class ChoiceRewardTest extends RewardContract {
  private static final List<String> CHOICES = List.of("red", "green", "blue", "4");

  @Override
  protected RewardFunction function() {
    return new ChoiceReward();
  }

  @Override
  protected Map<String, Object> facts() {
    return Map.of("choices", CHOICES, "answer", 1L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "B | B",
        "(B) green | B",
        "**B** | B",
        "A, no. Answer: B | B",
        "Answer: A? No. **Answer: B** | B",
        "The answer is (B). | B",
        "So \\boxed{B} and not C. Answer: A | B",
        "\\boxed{\\text{B}} | B",
        "<think>Answer: A</think> B. | B",
        "Answer: C | C",
        "Because of it. |",
        "green |",
      })
  void theChosenLetterIsGraded(String response, String letter) {
    Grade grade = grade(reward(Map.of()), episode(response).withFacts(facts()));
    assertEquals(letter, grade.answer());
    assertEquals("B".equals(letter) ? 1 : 0, grade.score());
    assertEquals(Map.of("acc", grade.score()), grade.details());
  }

  @Test
  void theRightChoiceIsAnIndexALetterALabelOrAText() {
    Map<String, Object> labeled = Map.of("text", CHOICES, "label", List.of("1", "2", "3", "4"));
    List<Map<String, Object>> rows =
        List.of(
            Map.of("choices", CHOICES, "answer", 1L),
            Map.of("choices", CHOICES, "answer", "1"),
            Map.of("options", CHOICES, "answer", "B", "answer_index", 1L),
            Map.of("choices", CHOICES, "answer", "green"),
            Map.of("choices", labeled, "answer", "2"));
    for (Map<String, Object> row : rows) {
      assertEquals(1, score(Map.of(), episode("B").withFacts(row)), row::toString);
      assertEquals(0, score(Map.of(), episode("C").withFacts(row)), row::toString);
    }
    Map<String, Object> other = Map.of("choices", CHOICES, "answerKey", "D");
    assertEquals(1, score(Map.of("choice_key", "answerKey"), episode("D").withFacts(other)));
  }

  @Test
  void rowsWithoutARightChoiceAreRefused() {
    for (Object answer : List.of(4L, -1L, "E", "yellow", 1.5)) {
      TaskInfo task = new TaskInfo("m.jsonl:5", Map.of("choices", CHOICES, "answer", answer));
      assertEquals(
          "m.jsonl:5: no right choice that rewards could grade by: expected an index from 0, a"
              + " letter, a label or one of the choices as answer",
          assertThrows(UserException.class, () -> reward(Map.of()).check(task)).getMessage());
    }
    reward(Map.of()).check(new TaskInfo("m.jsonl:1", facts()));
    assertThrows(UserException.class, () -> score(Map.of(), episode("B")));
  }
}
