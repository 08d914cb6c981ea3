package roll.runtime.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.api.reward.TaskFacts;

class AnswerKeyTest {
  private static Trajectory episode(Map<String, ?> facts) {
    return new Trajectory(
            new TrajectoryKey("Math", 0, 0, 0, 1),
            List.of(),
            new double[0],
            new long[0],
            List.of(),
            Map.of(),
            "terminated")
        .withFacts(facts);
  }

  private static List<String> answers(Map<String, ?> facts, Map<String, Object> options) {
    return AnswerKey.of(YamlOptions.checked("rewards.em", options, List.of(AnswerKey.OPTION)))
        .answers(episode(facts));
  }

  @Test
  void theFirstOfTheUsualFieldsCounts() {
    assertEquals(List.of("4"), answers(Map.of("gold", "5", "answer", "4"), Map.of()));
    assertEquals(
        List.of("7"), answers(Map.of("reward_model", Map.of("ground_truth", 7L)), Map.of()));
    assertEquals(List.of("a", "b"), answers(Map.of("golden_answers", List.of("a", "b")), Map.of()));
    assertEquals(
        List.of("\\frac{1}{2}"),
        answers(Map.of("solution", "So \\boxed{1}, no: $\\boxed{\\frac{1}{2}}$."), Map.of()));
    assertEquals(List.of("\\boxed{1"), answers(Map.of("solution", "\\boxed{1"), Map.of()));
    assertEquals(List.of("5"), answers(Map.of("output", "5", "instruction", "2+3"), Map.of()));
    assertEquals(List.of("5"), answers(Map.of("answer", List.of(), "gold", "5"), Map.of()));
  }

  @Test
  void anOptionNamesAnother() {
    assertEquals(
        List.of("x"),
        answers(Map.of("answer", "4", "target", "x"), Map.of("answer_key", "target")));
  }

  @Test
  void numbersAreWrittenOut() {
    assertEquals(List.of("0.5"), answers(Map.of("answer", 0.5), Map.of()));
    assertEquals(List.of("12000000000"), answers(Map.of("answer", 1.2e10), Map.of()));
    assertEquals(List.of("3"), answers(Map.of("answer", 3.0), Map.of()));
    assertEquals(List.of("true"), answers(Map.of("answer", true), Map.of()));
  }

  @Test
  void solutionsAreCutToTheirAnswer() {
    assertEquals(List.of("1,080"), answers(Map.of("answer", "12 * 90\n#### 1,080"), Map.of()));
  }

  @Test
  void whatIsMissingIsSaid() {
    UserException missing =
        assertThrows(
            UserException.class,
            () -> answers(Map.of("question", "?"), Map.of("answer_key", "solution.value")));
    assertEquals(
        "rewards.em: an episode of Math has no reference answer (looked for: solution.value; its"
            + " facts: question)",
        missing.getMessage());
  }

  private static String refused(Map<String, Object> facts, Map<String, Object> options) {
    AnswerKey key =
        AnswerKey.of(YamlOptions.checked("rewards.em", options, List.of(AnswerKey.OPTION)));
    TaskInfo task = new TaskInfo("set.jsonl:3", facts);
    return assertThrows(UserException.class, () -> AnswerKeyCheck.require(key, task)).getMessage();
  }

  @Test
  void aTaskWithoutAnAnswerIsRefusedBeforeItIsPlayed() {
    AnswerKey usual =
        AnswerKey.of(YamlOptions.checked("rewards.em", Map.of(), List.of(AnswerKey.OPTION)));
    AnswerKeyCheck.require(usual, new TaskInfo("set.jsonl:1", Map.of("answer", false)));
    AnswerKeyCheck.require(
        usual, new TaskInfo("set.jsonl:2", Map.of("answer", List.of(), "gold", 5L)));
    assertEquals(
        "set.jsonl:3: no answer that rewards.em could grade by: expected a text, a number, true,"
            + " false or a list of them as answer or ground_truth or reward_model.ground_truth or"
            + " gold or golden_answers or answers or final_answer or solution or target or output"
            + " (it has: anser); rewards.em.answer_key names another field; did you mean 'anser'?",
        refused(Map.of("anser", "4"), Map.of()));
    assertEquals(
        "set.jsonl:3: no answer that rewards.em could grade by: expected a text, a number, true,"
            + " false or a list of them as target (it has: target); rewards.em.answer_key names"
            + " another field",
        refused(Map.of("target", Map.of()), Map.of("answer_key", "target")));
  }

  @Test
  void pathsLeadThroughMappings() {
    assertEquals(1, TaskFacts.at(Map.of("a", Map.of("b.c", 1)), "a.b.c"));
    assertEquals(2, TaskFacts.at(Map.of("a.b", 2, "a", Map.of("b", 3)), "a.b"));
    assertNull(TaskFacts.at(Map.of("a", "text"), "a.b"));
  }

  @Test
  void questionsHaveSeveralNames() {
    assertEquals(
        Optional.of("p"), TaskFacts.question(episode(Map.of("problem", "p", "question", " "))));
    assertEquals(
        Optional.of("e"),
        TaskFacts.question(episode(Map.of("extra_info", Map.of("question", "e")))));
    assertEquals(Optional.empty(), TaskFacts.question(episode(Map.of("question", 3L))));
  }
}
