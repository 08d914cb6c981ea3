package roll.reward.guideline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.PluginReference;
import roll.api.reward.AnswerGrader;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.testkit.TestOptions;

class GuidelineRewardTest {
  private static final Map<String, ?> FACTS = GuidelineFixtures.FACTS;

  private final GuidelineFixtures kit = new GuidelineFixtures();

  private static Trajectory planned(Map<String, ?> facts, String guideline) {
    return GuidelineFixtures.planned(facts, guideline);
  }

  @Test
  void graderAndSolverAreSaid() {
    GuidelineReward function =
        new GuidelineReward(kit.shelf(), Map.of("VERL_GUIDELINES_USE_MATH_VERIFY", "0"));
    Options options =
        TestOptions.of("rewards.guideline", Map.of("solver", "big"), function.options());
    assertEquals(
        List.of(
            new PluginReference<>(
                "rewards.guideline.grader", AnswerGrader.class, "roll.grader", "string")),
        function.uses(options));
    assertEquals(List.of("solver"), function.models(options).stream().map(Option::name).toList());
  }

  @Test
  void theSolverSeesQuestionAndCleanGuideline() throws Exception {
    Trajectory episode = planned(FACTS, "<think>42</think> Multiply $1. \\boxed{42}");
    assertEquals(
        new Grade(1, Map.of("acc", 1.0), "42"), kit.grade(Map.of(), episode, "it is 42", "?"));
    assertEquals(
        List.of(
            List.of(
                new Message("system", SolverPrompts.SYSTEM),
                new Message(
                    "user",
                    "Question: 6*7?\n\nGuideline: Multiply $1.\n\nSolve the question, follow the"
                        + " guideline strictly, and put the final answer in \\boxed{}."))),
        kit.asked());
    assertEquals(0, kit.shelf().leased());
  }

  @Test
  void promptsAreOptions() throws Exception {
    kit.grade(
        Map.of("system_prompt", "", "prompt", "{guideline}: {question} {x}"),
        planned(FACTS, "{question}"),
        "",
        "");
    assertEquals(List.of(List.of(new Message("user", "{question}: 6*7? {x}"))), kit.asked());
  }

  @ParameterizedTest
  @CsvSource({"it is 42, 1", "it is 41, 0", "' ', 0", "'', 0", "odd 42, 0"})
  void isTheSolversAccuracy(String solution, double score) throws Exception {
    assertEquals(score, kit.grade(Map.of(), planned(FACTS, "Multiply."), solution, "?").score());
  }

  @Test
  void whatCannotBeAskedIsNothing() throws Exception {
    Grade nothing = new Grade(0, Map.of("acc", 0.0), null);
    assertEquals(nothing, kit.grade(Map.of(), planned(FACTS, "<think>42"), "it is 42", "?"));
    assertEquals(
        nothing,
        kit.grade(Map.of(), planned(Map.of("answer", "42"), "Multiply."), "it is 42", "?"));
    assertEquals(List.of(), kit.asked());
  }

  @Test
  void theQuestionMayBeExtraInfo() throws Exception {
    Map<String, ?> row =
        Map.of(
            "extra_info", Map.of("question", "6*7?"), "reward_model", Map.of("ground_truth", "42"));
    assertEquals(1, kit.grade(Map.of(), planned(row, "Multiply."), "it is 42", "?").score());
  }

  @Test
  void textsMayBeComparedInstead() throws Exception {
    String variable = "VERL_GUIDELINES_USE_MATH_VERIFY";
    Trajectory episode = planned(FACTS, "Multiply.");
    assertEquals(
        1,
        kit.reward(Map.of(variable, "0"), Map.of()).grade(episode, kit.solver("42!", "")).score());
    assertEquals(
        1,
        kit.reward(Map.of(variable, "1"), Map.of()).grade(episode, kit.solver("42", "")).score());
    Map<String, Object> option = Map.of("use_math_verify", false);
    assertEquals(
        1, kit.reward(Map.of(variable, "1"), option).grade(episode, kit.solver("42!", "")).score());
    assertEquals(
        "the environment variable " + variable + ": expected 0 or 1, found 'yes'",
        userError(() -> kit.reward(Map.of(variable, "yes"), Map.of())));
    assertEquals(
        "rewards.guideline.grader: no roll.grader 'x' is registered (registered: math_verify,"
            + " string)",
        userError(() -> kit.reward(Map.of(), Map.of("grader", "x"))));
  }

  @Test
  void solutionsAreLogged(@TempDir Path folder) throws Exception {
    Path logs = folder.resolve("a/b");
    Map<String, String> variables = Map.of("VERL_GUIDELINES_LOG_DIR", logs.toString());
    try (Reward reward = kit.reward(variables, Map.of());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Grade>> grades = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Trajectory episode = planned(FACTS, "Line\n\"" + i + "\" <b>");
        grades.add(() -> reward.grade(episode, (model, messages) -> "ü 42"));
      }
      for (var grade : threads.invokeAll(grades)) {
        grade.get();
      }
    }
    List<String> lines = Files.readAllLines(logs.resolve("solver.jsonl"));
    assertEquals(100, lines.size());
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      expected.add(
          "{\"question\":\"6*7?\",\"guideline\":\"Line\\n\\\""
              + i
              + "\\\" <b>\",\"solver_output\":\"ü 42\",\"ground_truth\":\"42\",\"reward\":1.0}");
    }
    String[] found = lines.toArray(new String[0]);
    Arrays.sort(found);
    expected.sort(null);
    assertEquals(expected, List.of(found));
    Path file = Files.createFile(folder.resolve("file"));
    Map<String, Object> wrong = new HashMap<>(Map.of("log_dir", file.toString()));
    assertEquals(
        "rewards.guideline.log_dir: expected a folder, found '" + file + "'",
        userError(() -> kit.reward(Map.of(), wrong)));
    assertFalse(Files.exists(folder.resolve("solver.jsonl")));
  }

  @Test
  void theReadmeHasThePlannersPrompt() throws Exception {
    assertTrue(Files.readString(Path.of("README.md")).contains(SolverPrompts.PLANNER));
  }
}
