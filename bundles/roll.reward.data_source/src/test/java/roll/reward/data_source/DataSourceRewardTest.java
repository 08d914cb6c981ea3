package roll.reward.data_source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;
import roll.api.option.Options;
import roll.api.reward.AnswerGrader;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.reward.gsm8k.Gsm8kReward;
import roll.reward.math.MathEqualReward;
import roll.reward.math.StringGrader;
import roll.reward.qa.ExactMatchReward;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.RewardContract;

/** Grades of rows of each data set. */
class DataSourceRewardTest extends RewardContract {
  private final AtomicInteger closed = new AtomicInteger();
  private final InMemoryPluginRegistry shelf = shelf();

  private InMemoryPluginRegistry shelf() {
    InMemoryPluginRegistry shelf = new InMemoryPluginRegistry();
    return shelf
        .with("roll.reward", "gsm8k", new Gsm8kReward())
        .with("roll.reward", "math_equal_reward", new MathEqualReward(shelf))
        .with("roll.reward", "em", new ExactMatchReward())
        .with("roll.reward", "code_reward", new Cases(closed))
        .with("roll.grader", "string", new StringGrader())
        .with("roll.grader", "math_verify", new NoneEqual());
  }

  /** A grader that finds only equal texts and numbers equal. */
  private static final class NoneEqual implements AnswerGrader {
    @Override
    public String description() {
      return "none";
    }

    @Override
    public boolean equal(String gold, String response) {
      return false;
    }

    @Override
    public Optional<String> answer(String response) {
      return Optional.empty();
    }
  }

  /** A reward whose programs pass the cases with an input that they contain. */
  private record Cases(AtomicInteger closed) implements RewardFunction, Reward {
    @Override
    public String description() {
      return "cases";
    }

    @Override
    public Reward configure(Options options) {
      return this;
    }

    @Override
    public Grade grade(Trajectory episode, RewardModels models) {
      List<?> tests = (List<?>) Objects.requireNonNull(episode.facts().get("tests"));
      long passed =
          tests.stream()
              .filter(test -> episode.finalResponse().contains(input((Map<?, ?>) test)))
              .count();
      return Grade.of((double) passed / tests.size());
    }

    private static String input(Map<?, ?> test) {
      return "<" + test.get("input") + ">";
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @Override
  protected RewardFunction function() {
    return new DataSourceReward(shelf);
  }

  @Override
  protected Map<String, Object> facts() {
    return row("openai/gsm8k", "18");
  }

  private static Map<String, Object> row(String source, Object truth) {
    return Map.of(
        "data_source", source, "reward_model", Map.of("style", "rule", "ground_truth", truth));
  }

  private Grade graded(String source, Object truth, String response) {
    Trajectory episode = episode(response).withFacts(row(source, truth));
    return grade(reward(Map.of()), episode);
  }

  /**
   * Scores computed by hand from verl/utils/reward_score/__init__.py#L19 of
   * verl-project/verl@1dda039b9c6311889a9c9a26040677e1254814f9 and the files next to it.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "openai/gsm8k | 18 | 9 * 2 = #### 18 | 1",
        "openai/gsm8k | 18 | The answer is 18 | 0",
        "lighteval/MATH | \\frac{1}{2} | so \\boxed{\\dfrac12} | 1",
        "DigitalLearningGmbH/MATH-lighteval | 2 | the answer is 2 | 0",
        "HuggingFaceH4/MATH-500 | 2 | \\boxed{2} and then \\boxed{3} | 0",
        "math_dapo | 34 | I think.\\nAnswer: 34 | 1",
        "math_dapo | 34 | answer : $34$\\nAnswer: $35$ | -1",
        "math_dapo | 34 | so \\boxed{34} | 1",
        "math_dapo | 34 | Answer: 35, \\boxed{34} | -1",
        "math_dapo | 1234 | Answer: x = 1,234 | 1",
        "math_dapo | \\frac{1}{2} | Answer: \\frac12 | 1",
        "math_dapo | 5 | Answer: 5 \\text{ meters} | 1",
        "math | 34 | nothing | -1",
        "aime2024 | 34 | Answer: 34 | 1",
        "aime_2025 | 34 | Answer: 33 | -1",
        "hiyouga/geometry3k | 20 | <think>x</think> \\boxed{20} | 1",
        "hiyouga/geometry3k | 20 | \\boxed{20.0} | 0.9",
        "hiyouga/geometry3k | 20 | <think>x</think> \\boxed{21} | 0.1",
        "hiyouga/geometry3k | 20 | it is 20 | 0",
        "searchR1_nq | Eiffel Tower | <answer>no</answer> <answer> the Eiffel tower. </answer> | 1",
        "searchR1_nq | Eiffel Tower | the Eiffel tower | 0",
      })
  void everySourceHasItsRule(String source, String truth, String response, double score) {
    assertEquals(score, graded(source, truth, response.replace("\\n", "\n")).score(), 1e-12);
  }

  @Test
  void ofSeveralAnswersOneSufficesAndManyTagsAreATrick() {
    Map<String, Object> truth = Map.of("target", List.of("Paris", "City of Light"));
    String answer = "<answer>city of light</answer>";
    assertEquals(1, graded("searchR1_hotpotqa", truth, answer).score());
    String tenTags = "<answer>x</answer>".repeat(9) + answer;
    assertEquals(1, graded("searchR1_hotpotqa", truth, tenTags).score());
    String often = "<answer>x</answer>".repeat(10) + answer;
    assertEquals(0.25, graded("searchR1_hotpotqa", truth, often).score());
  }

  /** DAPO's answer is looked for in the last 300 characters. */
  @Test
  void anAnswerIsAtTheEnd() {
    assertEquals(1, graded("math_dapo", "34", "Answer: 34\n" + "x".repeat(289)).score());
    assertEquals(-1, graded("math_dapo", "34", "Answer: 34\n" + "x".repeat(290)).score());
  }

  /** All tests count if all pass, otherwise the first ten. */
  @Test
  void programsAreTested() {
    StringBuilder inputs = new StringBuilder();
    StringBuilder ten = new StringBuilder();
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      inputs.append(i == 0 ? "" : ", ").append('"').append(i).append('"');
      ten.append(i >= 5 && i < 10 ? "<" + i + ">" : "");
      all.append('<').append(i).append('>');
    }
    String truth = "{\"inputs\": [%s], \"outputs\": [%s]}".formatted(inputs, inputs);
    assertEquals(1, graded("codecontests", truth, all.toString()).score());
    assertEquals(0.5, graded("taco", truth, ten.toString()).score());
    assertEquals(0, graded("apps", truth, "nothing").score());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "numina_olympiads | 5 | data.parquet:7: rewards does not know how the data set"
            + " 'numina_olympiads' (field data_source) is graded: name a reward of its own"
            + " (allowed: openai/gsm8k, ",
        "codeforces | {\"inputs\": [[1]], \"outputs\": [1], \"fn_name\": \"f\"} | data.parquet:7:"
            + " reward_model.ground_truth: tests that call a function (fn_name) are not supported",
        "apps | 5 | data.parquet:7: reward_model.ground_truth: expected a mapping with the lists"
            + " inputs and outputs",
      })
  void whatCannotBeGradedIsRefusedBeforeAnythingIsPlayed(
      String source, String truth, String message) {
    Reward reward = reward(Map.of());
    String told =
        Objects.requireNonNull(
            userError(() -> reward.check(new TaskInfo("data.parquet:7", row(source, truth)))));
    assertTrue(told.startsWith(message), told);
  }

  @Test
  void aRowWithoutADataSetIsRefused() {
    Reward reward = reward(Map.of());
    assertEquals(
        "d:1: the row has no data_source, which names the data set that rewards grades by",
        userError(() -> reward.check(new TaskInfo("d:1", Map.of("answer", "18")))));
  }

  @Test
  void aRowWithoutAnAnswerIsRefused() {
    Reward reward = reward(Map.of());
    assertEquals(
        "d:1: no answer that rewards could grade by: expected one as reward_model.ground_truth (it"
            + " has: data_source)",
        userError(() -> reward.check(new TaskInfo("d:1", Map.of("data_source", "openai/gsm8k")))));
  }

  @Test
  void anotherFieldMayNameTheDataSet() {
    Map<String, Object> row = new LinkedHashMap<>(row("x", "18"));
    row.put("origin", "openai/gsm8k");
    Trajectory episode = episode("#### 18").withFacts(row);
    assertEquals(1, score(Map.of("key", "origin"), episode));
  }

  @Test
  void whatIsLeasedIsGivenBack() {
    Reward reward = reward(Map.of());
    reward.check(new TaskInfo("d:1", row("openai/gsm8k", "18")));
    reward.check(new TaskInfo("d:2", row("lighteval/MATH", "18")));
    reward.check(new TaskInfo("d:3", row("apps", "{\"inputs\": [1], \"outputs\": [1]}")));
    assertEquals(3, shelf.leased());
    reward.close();
    assertEquals(0, shelf.leased());
    assertEquals(1, closed.get());
  }
}
