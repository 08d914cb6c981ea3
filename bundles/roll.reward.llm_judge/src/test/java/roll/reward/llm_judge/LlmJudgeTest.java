package roll.reward.llm_judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;
import roll.testkit.TestOptions;

/** A judge that is a model of the run. */
class LlmJudgeTest {
  private final LlmJudge judge = new LlmJudge();

  /** Returns an episode about the task {@code facts}. */
  static Trajectory about(Map<String, ?> facts, String... texts) {
    List<Message> messages = new ArrayList<>();
    for (String text : texts) {
      messages.add(new Message(messages.size() % 2 == 0 ? "user" : "assistant", text));
    }
    return new Trajectory(
            new TrajectoryKey("Talk", 0, 0, 0, 1),
            List.of(),
            new double[1],
            new long[1],
            messages,
            Map.of(),
            "terminated")
        .withFacts(facts);
  }

  private Reward reward(Map<String, Object> options) {
    return judge.configure(TestOptions.of("rewards.llm_judge", options, judge.options()));
  }

  private Grade judged(String verdict, Map<String, Object> more) throws InterruptedException {
    Map<String, Object> options = new HashMap<>(Map.of("model", "big", "prompt", "?"));
    options.putAll(more);
    return reward(options).grade(about(Map.of(), "a", "b"), (model, messages) -> verdict);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Score: 7 | 0.7",
        "First I thought score: 3, but then Score: 10 | 1",
        "**Score:** 2.5/10 | 0.25",
        "score 12 | 1",
        "score: -4 | 0",
      })
  void theLastNumberCounts(String verdict, double score) throws InterruptedException {
    assertEquals(new Grade(score, Map.of("unreadable", 0.0), null), judged(verdict, Map.of()));
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPatternThatTakesAgesReadsNothing() throws InterruptedException {
    Map<String, Object> options = Map.of("score_pattern", "((\\d+)+)$");
    assertEquals(
        new Grade(0, Map.of("unreadable", 1.0), null), judged("1".repeat(60) + "!", options));
  }

  @Test
  void theScaleIsAnOption() throws InterruptedException {
    Map<String, Object> options = Map.of("min", 1, "max", 5, "score_pattern", "\\[\\[(\\d)\\]\\]");
    assertEquals(0.75, judged("Rating: [[4]]", options).score());
    assertEquals(0, judged("Rating: [[1]]", options).score());
  }

  @Test
  void aWordInAnyCaseAccepts() throws InterruptedException {
    Map<String, Object> options = Map.of("accept", "yes");
    assertEquals(new Grade(1, Map.of("acc", 1.0), null), judged("**YES**", options));
    assertEquals(0, judged("No.", options).score());
    assertEquals(0, judged("", options).score());
  }

  private @Nullable AnswerKey key(Map<String, Object> options) {
    return judge.answerKey(TestOptions.of("rewards.llm_judge", options, judge.options()));
  }

  @Test
  void onlyAPromptWithTheKnownAnswerNeedsOne() {
    assertEquals(
        List.of("gold"), Objects.requireNonNull(key(Map.of("answer_key", "gold"))).paths());
    assertNotNull(key(Map.of("prompt", "{answer} or {response}?")));
    assertNull(key(Map.of("answer_key", "gold", "prompt", "Is it polite? {response}")));
  }

  @Test
  void whatCannotBeReadIsCounted() throws InterruptedException {
    Grade unread = new Grade(0, Map.of("unreadable", 1.0), null);
    assertEquals(unread, judged("It is good.", Map.of()));
    assertEquals(unread, judged("", Map.of()));
    assertEquals(unread, judged("Score: x", Map.of("score_pattern", "Score: (.)")));
    assertEquals(0.5, judged("", Map.of("unreadable", 0.5)).score());
  }

  @Test
  void thePromptIsFilledIn() throws InterruptedException {
    List<String> asked = new ArrayList<>();
    RewardModels models =
        (model, messages) -> {
          asked.add(model + " " + messages.getFirst().role() + " " + messages.getFirst().content());
          return "Score: 5";
        };
    Map<String, Object> options =
        Map.of(
            "model",
            "big",
            "prompt",
            "{question}|{answer}|{response}|{min}-{max}|{\"json\": {other}}|{messages}");
    Reward reward = reward(options);
    reward.grade(
        about(Map.of("question", "6*7?", "answer", List.of("42", "XLII")), "q", "$1 {answer}"),
        models);
    reward.grade(about(Map.of("gold", 1L), "first", "then", "more", "end"), models);
    assertEquals(
        List.of(
            "big user 6*7?|42 or XLII|$1 {answer}|0-10|{\"json\": {other}}|user: q\n\n"
                + "assistant: $1 {answer}",
            "big user first|1|end|0-10|{\"json\": {other}}|user: first\n\nassistant: then\n\n"
                + "user: more\n\nassistant: end"),
        asked);
  }

  @Test
  void theStandardPromptAsksForTheStandardPattern() throws InterruptedException {
    Reward reward = reward(Map.of("model", "big"));
    Grade grade =
        reward.grade(
            about(Map.of("question", "6*7?", "answer", "42"), "q", "43"),
            (model, messages) -> {
              String prompt = messages.getFirst().content();
              assertTrue(prompt.contains("\n6*7?\n") && prompt.contains("\n43\n"), prompt);
              assertTrue(prompt.endsWith("from 0 (worst) to 10 (best)."), prompt);
              return "No.\nScore: 2";
            });
    assertEquals(0.2, grade.score());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "min | 10 | rewards.llm_judge.max: expected a number greater than min, found '10.0'",
        "score_pattern | ( | rewards.llm_judge.score_pattern: expected a regular expression"
            + " (Unclosed group), found '('",
        "score_pattern | x | rewards.llm_judge.score_pattern: expected a regular expression with a"
            + " group for the number, found 'x'",
        "base_url | http://h | rewards.llm_judge: expected either model or base_url, found both",
      },
      quoteCharacter = '"')
  void mistakesAreOneLine(String key, String value, String message) {
    Object typed = key.equals("min") ? (Object) Integer.valueOf(value) : value;
    assertEquals(message, userError(() -> reward(Map.of("model", "big", key, typed))));
  }

  @Test
  void theModelIsAReference() {
    LlmJudge judge = new LlmJudge();
    Options model = TestOptions.of("rewards.llm_judge", Map.of("model", "big"), judge.options());
    assertEquals(List.of("model"), judge.models(model).stream().map(Option::name).toList());
    Options endpoint =
        TestOptions.of("rewards.llm_judge", Map.of("base_url", "x"), judge.options());
    assertEquals(List.of(), judge.models(endpoint));
  }

  @Test
  void aJudgeIsRequired() {
    assertEquals(
        "rewards.llm_judge: expected either model or base_url, found neither",
        userError(() -> reward(Map.of())));
  }
}
