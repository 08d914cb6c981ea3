package roll.reward.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.KnownTask;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.bridge.PeerException;
import roll.testkit.RewardContract;

@Tag("processes")
@Timeout(120)
class PythonRewardTest extends RewardContract {
  private final PythonReward function = new PythonReward();

  @AfterEach
  void end() {
    function.deactivate();
  }

  @Override
  protected RewardFunction function() {
    return function;
  }

  @Override
  protected Map<String, Object> options() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
    return Map.of("path", file(), "python", "/usr/bin/python3");
  }

  @Override
  protected Map<String, Object> facts() {
    return Map.of("reward_model", Map.of("ground_truth", "72"));
  }

  private static String file() {
    try {
      return Path.of(
              Objects.requireNonNull(PythonRewardTest.class.getResource("/my_reward.py")).toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, Object> with(String key, Object value) {
    Map<String, Object> options = new HashMap<>(options());
    options.put(key, value);
    return options;
  }

  @Test
  void theFunctionIsAskedAsVerlAsksIt() {
    assertEquals(1, score(options(), episode("It is #### 72").withFacts(facts())));
    assertEquals(0, score(options(), episode("It is #### 71").withFacts(facts())));
    assertEquals(1, score(options(), episode("#### 8").withFacts(Map.of("answer", 8))));
    assertEquals(
        0.25,
        score(
            with("reward_kwargs", Map.of("scale", 0.25)),
            episode("no", "#### 72").withFacts(facts())));
  }

  @Test
  void numbersBesideTheScoreAreDetails() {
    Grade grade =
        grade(
            reward(with("name", "with_details")),
            episode("a", "b")
                .withFacts(Map.of("data_source", "gsm8k", "extra_info", Map.of("difficulty", 3))));
    assertEquals(
        new Grade(0.5, Map.of("acc", 1.0, "turns", 2.0, "source", 1.0, "difficulty", 3.0), null),
        grade);
  }

  @Test
  void whatItRaisesIsOneLine() {
    PeerException e = assertThrows(PeerException.class, () -> score(options(), episode("raise")));
    assertTrue(
        String.valueOf(e.getMessage()).endsWith("my_reward.py: ValueError: no score for that"),
        e.getMessage());
  }

  @Test
  void filesThatAreNone() {
    UserException e = assertThrows(UserException.class, () -> reward(with("path", "nowhere.py")));
    assertTrue(e.getMessage().startsWith("rewards.path: "), e.getMessage());
    e = assertThrows(UserException.class, () -> reward(with("name", "nothing")));
    assertTrue(e.getMessage().endsWith("my_reward.py has no function nothing"), e.getMessage());
  }

  @Test
  void coroutinesAreAwaited() {
    assertEquals(1, score(with("name", "waits"), episode("#### 72").withFacts(facts())));
  }

  /** Lists of one, columns of the row among them; a prompt of messages makes a conversation. */
  @Test
  void functionsOfTrlAreAsked() {
    Map<String, Object> row = new HashMap<>(facts());
    row.put("level", 0.5);
    assertEquals(0.5, score(with("name", "of_trl"), episode("72").withFacts(row)));
    row.put("prompt", List.of(Map.of("role", "user", "content", "?")));
    assertEquals(0.5, score(with("name", "of_trl"), episode("72").withFacts(row)));
    row.put("level", "none");
    assertEquals(0, score(with("name", "of_trl"), episode("72").withFacts(row)));
    assertEquals(
        1.06, score(with("name", "of_trl_waits"), episode("8").withFacts(Map.of("answer", "8"))));
    PeerException e =
        assertThrows(
            PeerException.class,
            () -> score(with("name", "two_scores"), episode("8").withFacts(row)));
    assertTrue(
        String.valueOf(e.getMessage())
            .endsWith("expected a list of one score for one completion, found [1.0, 2.0]"),
        e.getMessage());
  }

  @Test
  void aRowWithoutTheColumnThatIsAskedForIsRefused() {
    Reward reward = reward(with("name", "of_trl"));
    reward.check(new KnownTask("d:1", Map.of("level", 1)));
    UserException e =
        assertThrows(
            UserException.class, () -> reward.check(new KnownTask("d:2", Map.of("answer", "8"))));
    assertEquals(
        "d:2: no column 'level', which the function of rewards asks for (it has: answer)",
        e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "whole_batches | scores whole batches: it must score one response, as solution_str",
        "others | takes neither verl's arguments (data_source, solution_str, ground_truth,"
            + " extra_info) nor TRL's (completions, **kwargs)",
      })
  void functionsThatCannotBeAskedAreRefusedAtOnce(String name, String why) {
    UserException e = assertThrows(UserException.class, () -> reward(with("name", name)));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
  }
}
