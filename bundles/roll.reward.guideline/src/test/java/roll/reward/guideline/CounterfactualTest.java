package roll.reward.guideline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.reward.Grade;
import roll.api.reward.Reward;

/** The solver's score without a guideline: generated, known, reported, subtracted. */
class CounterfactualTest {
  private final GuidelineFixtures kit = new GuidelineFixtures();

  private static Trajectory planned(String guideline) {
    return GuidelineFixtures.planned(GuidelineFixtures.FACTS, guideline);
  }

  @ParameterizedTest
  @CsvSource({"42, 41, 1, 0", "42, 42, 0, 1", "41, 42, -1, 1", "41, 41, 0, 0", "'', 42, 0, "})
  void theCounterfactualTakesWhatItEarnsWithout(
      String with, String without, double score, Double baseline) throws Exception {
    Grade grade = kit.grade(Map.of("counterfactual", true), planned("Multiply."), with, without);
    assertEquals(score, grade.score());
    assertEquals(baseline, grade.details().get("baseline"));
  }

  @ParameterizedTest
  @CsvSource({"42, 41, 1, 0", "42, 42, 1, 1", "41, 42, 0, 1", "41, 41, 0, 0"})
  void theBaselineMayBeReportedAlone(String with, String without, double score, double baseline)
      throws Exception {
    Grade grade = kit.grade(Map.of("report_baseline", true), planned("Multiply."), with, without);
    assertEquals(new Grade(score, Map.of("acc", score, "baseline", baseline), with), grade);
  }

  /** The subtrahend belongs to the question, so it cancels within a group. */
  @Test
  void withinAGroupOfOneQuestionItCancels() throws Exception {
    assertEquals(List.of(0.25, -0.75, 0.25, 0.25), againstTheMean(Map.of()));
    assertEquals(List.of(0.25, -0.75, 0.25, 0.25), againstTheMean(Map.of("counterfactual", true)));
  }

  /**
   * Returns advantages of four guidelines, of which three lead to the correct answer, as does none.
   */
  private List<Double> againstTheMean(Map<String, Object> options) throws Exception {
    List<Double> scores = new ArrayList<>();
    for (String with : List.of("42", "41", "42", "42")) {
      scores.add(kit.grade(options, planned("Multiply."), with, "42").score());
    }
    double mean = scores.stream().mapToDouble(score -> score).average().orElseThrow();
    return scores.stream().map(score -> score - mean).toList();
  }

  @Test
  void theBaselineIsAskedOnceAQuestion() throws Exception {
    try (Reward reward = kit.reward(Map.of(), Map.of("counterfactual", true))) {
      for (String guideline : List.of("Multiply.", "Add.", "Guess.")) {
        assertEquals(1, reward.grade(planned(guideline), kit.solver("42", "41")).score());
      }
    }
    assertEquals(4, kit.asked().size());
    assertEquals(
        List.of(
            new Message("system", SolverPrompts.BASELINE_SYSTEM),
            new Message(
                "user",
                "Question: 6*7?\n\nSolve the question, and put the final answer in \\boxed{}.")),
        kit.asked().get(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.json | {'6*7?': 0.25}",
        "a.json | [{'question': '6*7?', 'baseline': 0.25}]",
        "a.jsonl | {'question': '6*7?', 'accuracy': 0.25}\\n\\n{'question': '1', 'acc': 1}",
      },
      quoteCharacter = '"')
  void baselinesMayBeKnown(String name, String content, @TempDir Path folder) throws Exception {
    Path file = folder.resolve(name);
    Files.writeString(file, content.replace('\'', '"').replace("\\n", "\n"));
    try (Reward reward =
        kit.reward(
            Map.of("VERL_GUIDELINES_BASELINES_PATH", file.toString()),
            Map.of("counterfactual", true))) {
      Grade grade = reward.grade(planned("Multiply."), kit.solver("42", "41"));
      assertEquals(new Grade(0.75, Map.of("acc", 1.0, "baseline", 0.25), "42"), grade);
    }
    assertEquals(1, kit.asked().size());
  }

  @Test
  void badBaselinesAreNamed(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("a.jsonl");
    Files.writeString(
        file, "{\"question\": \"1\", \"acc\": 1}\n{\"question\": \"2\", \"acc\": 2}\n");
    Map<String, Object> options = Map.of("counterfactual", true, "baselines_path", file.toString());
    assertEquals(
        "baselines_path: "
            + file
            + ":2: expected {\"question\": …, \"accuracy\": …} or {question: accuracy, …}, with"
            + " accuracies from 0 to 1",
        userError(() -> kit.reward(Map.of(), options)));
    Files.delete(file);
    assertEquals(
        "baselines_path: cannot read " + file, userError(() -> kit.reward(Map.of(), options)));
    assertEquals(0, kit.shelf().leased());
  }
}
