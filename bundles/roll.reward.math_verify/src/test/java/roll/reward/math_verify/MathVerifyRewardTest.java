package roll.reward.math_verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.AnswerGrader;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.RewardContract;

class MathVerifyRewardTest extends RewardContract {
  private static final Option<Boolean> STRICT =
      Option.flag("strict", "whether case matters").withDefault(true);

  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry().with("roll.grader", "math_verify", new LastWord(true));

  /** A grader that compares the last word. */
  private record LastWord(boolean strict) implements AnswerGrader {
    @Override
    public String description() {
      return "for tests";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(STRICT);
    }

    @Override
    public AnswerGrader configure(Options options) {
      return new LastWord(options.get(STRICT));
    }

    @Override
    public boolean equal(String gold, String response) {
      return answer(response)
          .filter(last -> strict ? gold.equals(last) : gold.equalsIgnoreCase(last))
          .isPresent();
    }

    @Override
    public Optional<String> answer(String response) {
      String last = response.substring(response.lastIndexOf(' ') + 1);
      return last.isEmpty() ? Optional.empty() : Optional.of(last);
    }
  }

  @Override
  protected RewardFunction function() {
    return new MathVerifyReward(shelf);
  }

  @Override
  protected Map<String, Object> facts() {
    return Map.of("answer", "Up");
  }

  @Test
  void theGraderSaysWhatIsRight() {
    Reward reward = reward(Map.of());
    var episode = episode("?", "it is 18");
    assertEquals(
        new Grade(1, Map.of("acc", 1.0), "18"),
        grade(reward, episode.withFacts(Map.of("answer", "9 * 2\n#### 18"))));
    assertEquals(
        new Grade(1, Map.of("acc", 1.0), "18"),
        grade(reward, episode.withFacts(Map.of("answer", List.of("17", "18")))));
    assertEquals(
        new Grade(0, Map.of("acc", 0.0), "18"),
        grade(reward, episode.withFacts(Map.of("answer", 19L))));
    assertEquals(
        new Grade(0, Map.of("acc", 0.0), null),
        grade(reward, episode("").withFacts(Map.of("answer", "18"))));
  }

  @Test
  void theGraderHasItsOptions() {
    var episode = episode("?", "it is UP");
    assertEquals(0, grade(reward(Map.of()), episode.withFacts(facts())).score());
    Reward loose = reward(Map.of("grader_options", Map.of("strict", false)));
    assertEquals(1, grade(loose, episode.withFacts(facts())).score());
    assertEquals(
        "rewards.grader_options: unknown key 'strikt' (allowed: strict); did you mean 'strict'?",
        userError(() -> reward(Map.of("grader_options", Map.of("strikt", false)))));
  }

  /** ROLL's rule grades nothing where neither thoughts nor a blank line end. */
  @Test
  void theConclusionIsWhatFollowsTheThoughts() {
    Map.of(
            "<think>so</think>\n it is 18",
            "it is 18",
            "First.\n\nThen \\boxed{1} or \\boxed{\\frac{1}{2}}.",
            "$\\frac{1}{2}$",
            "a\n\nan open \\boxed{18",
            "an open \\boxed{18",
            "it is 18",
            "",
            "<think>a</think>b</think>18",
            "",
            "so <think>a</think>18",
            "")
        .forEach((response, graded) -> assertEquals(graded, Conclusion.of(response)));
    var episode = episode("?", "so\n\nit is Up").withFacts(facts());
    Reward reward = reward(Map.of("part", "conclusion"));
    assertEquals(1, grade(reward, episode).score());
    assertEquals(0, grade(reward, episode("?", "it is Up").withFacts(facts())).score());
  }

  @Test
  void theGraderIsGivenBackWhereItsOptionsAreWrong() {
    assertThrows(
        UserException.class, () -> reward(Map.of("grader_options", Map.of("strict", "no"))));
    assertEquals(0, shelf.leased());
  }

  @Test
  void theGraderIsGivenBack() {
    Reward reward = reward(Map.of());
    assertEquals(1, shelf.leased());
    reward.close();
    assertEquals(0, shelf.leased());
  }

  @Test
  void aGraderMustBeThere() {
    assertEquals(
        "rewards.grader: no roll.grader 'sympy' is registered (registered: math_verify)",
        userError(() -> reward(Map.of("grader", "sympy"))));
  }
}
