package roll.reward.guideline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Use;
import roll.api.reward.AnswerGrader;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;
import roll.testkit.InMemoryPlugins;
import roll.testkit.TestOptions;

class GuidelineTest {
  private final InMemoryPlugins shelf =
      new InMemoryPlugins()
          .with("roll.grader", "math_verify", new Ends(""))
          .with("roll.grader", "string", new Ends("!"));

  private final List<List<Message>> asked = new ArrayList<>();

  /** Equal is what a response ends with, and a mark. */
  private record Ends(String mark) implements AnswerGrader {
    @Override
    public String description() {
      return "for tests";
    }

    @Override
    public boolean equal(String gold, String response) {
      if (response.contains("odd")) {
        throw new IllegalStateException(response);
      }
      return response.endsWith(gold + mark);
    }

    @Override
    public Optional<String> answer(String response) {
      return Optional.of(response.substring(response.lastIndexOf(' ') + 1));
    }
  }

  private static Trajectory planned(Map<String, ?> facts, String response) {
    return new Trajectory(
            new TrajectoryKey("Planner", 0, 0, 0, 1),
            List.of(),
            new double[1],
            new long[1],
            List.of(new Message("user", "6*7?"), new Message("assistant", response)),
            Map.of(),
            "terminated")
        .withFacts(facts);
  }

  private static final Map<String, ?> FACTS = Map.of("question", "6*7?", "answer", "42");

  private Reward reward(Map<String, String> environment, Map<String, Object> options) {
    Guideline function = new Guideline(shelf, environment);
    return function.configure(TestOptions.of("rewards.guideline", options, function.options()));
  }

  /** A solver that answers {@code with} a guideline, and without one {@code without}. */
  private RewardModels solver(String with, String without) {
    return (model, messages) -> {
      assertEquals("solver", model);
      asked.add(messages);
      return messages.getLast().content().contains("Guideline: ") ? with : without;
    };
  }

  private Grade grade(Map<String, Object> options, Trajectory episode, String with, String without)
      throws InterruptedException {
    try (Reward reward = reward(Map.of(), options)) {
      return reward.grade(episode, solver(with, without));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void graderAndSolverAreSaid() {
    Guideline function = new Guideline(shelf, Map.of("VERL_GUIDELINES_USE_MATH_VERIFY", "0"));
    Options options =
        TestOptions.of("rewards.guideline", Map.of("solver", "big"), function.options());
    assertEquals(
        List.of(new Use<>("rewards.guideline.grader", AnswerGrader.class, "roll.grader", "string")),
        function.uses(options));
    assertEquals(List.of("solver"), function.models(options).stream().map(Option::name).toList());
  }

  @Test
  void theSolverSeesQuestionAndCleanGuideline() throws Exception {
    Trajectory episode = planned(FACTS, "<think>42</think> Multiply $1. \\boxed{42}");
    assertEquals(new Grade(1, Map.of("acc", 1.0), "42"), grade(Map.of(), episode, "it is 42", "?"));
    assertEquals(
        List.of(
            List.of(
                new Message("system", SolverPrompts.SYSTEM),
                new Message(
                    "user",
                    "Question: 6*7?\n\nGuideline: Multiply $1.\n\nSolve the question, follow the"
                        + " guideline strictly, and put the final answer in \\boxed{}."))),
        asked);
    assertEquals(0, shelf.leased());
  }

  @Test
  void promptsAreOptions() throws Exception {
    grade(
        Map.of("system_prompt", "", "prompt", "{guideline}: {question} {x}"),
        planned(FACTS, "{question}"),
        "",
        "");
    assertEquals(List.of(List.of(new Message("user", "{question}: 6*7? {x}"))), asked);
  }

  @ParameterizedTest
  @CsvSource({"it is 42, 1", "it is 41, 0", "' ', 0", "'', 0", "odd 42, 0"})
  void isTheSolversAccuracy(String solution, double score) throws Exception {
    assertEquals(score, grade(Map.of(), planned(FACTS, "Multiply."), solution, "?").score());
  }

  @Test
  void whatCannotBeAskedIsNothing() throws Exception {
    Grade nothing = new Grade(0, Map.of("acc", 0.0), null);
    assertEquals(nothing, grade(Map.of(), planned(FACTS, "<think>42"), "it is 42", "?"));
    assertEquals(
        nothing, grade(Map.of(), planned(Map.of("answer", "42"), "Multiply."), "it is 42", "?"));
    assertEquals(List.of(), asked);
  }

  @Test
  void theQuestionMayBeExtraInfo() throws Exception {
    Map<String, ?> row =
        Map.of(
            "extra_info", Map.of("question", "6*7?"), "reward_model", Map.of("ground_truth", "42"));
    assertEquals(1, grade(Map.of(), planned(row, "Multiply."), "it is 42", "?").score());
  }

  @ParameterizedTest
  @CsvSource({"42, 41, 1, 0", "42, 42, 0, 1", "41, 42, -1, 1", "41, 41, 0, 0", "'', 42, 0, "})
  void theCounterfactualTakesWhatItEarnsWithout(
      String with, String without, double score, Double baseline) throws Exception {
    Grade grade = grade(Map.of("counterfactual", true), planned(FACTS, "Multiply."), with, without);
    assertEquals(score, grade.score());
    assertEquals(baseline, grade.details().get("baseline"));
  }

  @Test
  void theBaselineIsAskedOnceAQuestion() throws Exception {
    try (Reward reward = reward(Map.of(), Map.of("counterfactual", true))) {
      for (String guideline : List.of("Multiply.", "Add.", "Guess.")) {
        assertEquals(1, reward.grade(planned(FACTS, guideline), solver("42", "41")).score());
      }
    }
    assertEquals(4, asked.size());
    assertEquals(
        List.of(
            new Message("system", SolverPrompts.BASELINE_SYSTEM),
            new Message(
                "user",
                "Question: 6*7?\n\nSolve the question, and put the final answer in \\boxed{}.")),
        asked.get(1));
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
        reward(
            Map.of("VERL_GUIDELINES_BASELINES_PATH", file.toString()),
            Map.of("counterfactual", true))) {
      Grade grade = reward.grade(planned(FACTS, "Multiply."), solver("42", "41"));
      assertEquals(new Grade(0.75, Map.of("acc", 1.0, "baseline", 0.25), "42"), grade);
    }
    assertEquals(1, asked.size());
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
        assertThrows(UserException.class, () -> reward(Map.of(), options)).getMessage());
    Files.delete(file);
    assertEquals(
        "baselines_path: cannot read " + file,
        assertThrows(UserException.class, () -> reward(Map.of(), options)).getMessage());
    assertEquals(0, shelf.leased());
  }

  @Test
  void textsMayBeComparedInstead() throws Exception {
    String variable = "VERL_GUIDELINES_USE_MATH_VERIFY";
    Trajectory episode = planned(FACTS, "Multiply.");
    assertEquals(
        1, reward(Map.of(variable, "0"), Map.of()).grade(episode, solver("42!", "")).score());
    assertEquals(
        1, reward(Map.of(variable, "1"), Map.of()).grade(episode, solver("42", "")).score());
    Map<String, Object> option = Map.of("use_math_verify", false);
    assertEquals(
        1, reward(Map.of(variable, "1"), option).grade(episode, solver("42!", "")).score());
    assertEquals(
        "the environment variable " + variable + ": expected 0 or 1, found 'yes'",
        assertThrows(UserException.class, () -> reward(Map.of(variable, "yes"), Map.of()))
            .getMessage());
    assertEquals(
        "rewards.guideline.grader: no roll.grader 'x' is registered (registered: math_verify,"
            + " string)",
        assertThrows(UserException.class, () -> reward(Map.of(), Map.of("grader", "x")))
            .getMessage());
  }

  @Test
  void solutionsAreLogged(@TempDir Path folder) throws Exception {
    Path logs = folder.resolve("a/b");
    Map<String, String> variables = Map.of("VERL_GUIDELINES_LOG_DIR", logs.toString());
    try (Reward reward = reward(variables, Map.of());
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
        assertThrows(UserException.class, () -> reward(Map.of(), wrong)).getMessage());
    assertFalse(Files.exists(folder.resolve("solver.jsonl")));
  }

  @Test
  void theReadmeHasThePlannersPrompt() throws Exception {
    assertTrue(Files.readString(Path.of("README.md")).contains(SolverPrompts.PLANNER));
  }
}
