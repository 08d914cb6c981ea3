package roll.reward.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

@Tag("processes")
@Timeout(120)
class PythonRewardTest extends RewardContract {
  @AutoClose("deactivate")
  private final PythonReward function = new PythonReward();

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "compute_score | raise | : ValueError: no score for that ({}:line of raise ValueError)",
        "ends | 3 | : SystemExit: 3 ({}:line of sys.exit)",
        "nothing_at_all | 3 | : TypeError: nothing_at_all of {}: expected a number, or a mapping"
            + " with a number as 'score', found None",
        "no_score | 3 | : TypeError: no_score of {}: expected a number, or a mapping with a number"
            + " as 'score', found {'acc': 1}",
      })
  void whatItDoesWrongIsOneLine(String name, String response, String told) throws IOException {
    String message = userError(() -> score(with("name", name), episode(response)));
    List<String> lines = Files.readAllLines(Path.of(file()));
    String expected =
        Pattern.compile("line of ([^)]+)")
            .matcher(told.replace("{}", file()))
            .replaceAll(part -> String.valueOf(lineOf(part.group(1), lines)));
    assertEquals("the reward " + file() + expected, message);
  }

  private static int lineOf(String beginning, List<String> lines) {
    return lines.indexOf(
            lines.stream().filter(l -> l.strip().startsWith(beginning)).findFirst().orElseThrow())
        + 1;
  }

  /** A request that ends or blocks a process does not affect concurrent ones. */
  @ParameterizedTest
  @ValueSource(strings = {"dies", "hangs"})
  void whatEndsTheProcessCostsItsOwnEpisodeOnly(String how) throws InterruptedException {
    Map<String, Object> options = with("name", how);
    options.put("timeout", 2.0);
    options.put("restarts", 1);
    Reward reward = reward(options);
    List<Thread> threads = new ArrayList<>();
    Map<Integer, String> graded = new ConcurrentHashMap<>();
    for (int i = 0; i < 12; i++) {
      int number = i;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      double score = grade(reward, episode(number % 4 == 3 ? how : "")).score();
                      graded.put(number, String.valueOf(score));
                    } catch (UserException e) {
                      graded.put(number, String.valueOf(e.getMessage()));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(12, graded.size());
    graded.forEach(
        (number, verdict) ->
            assertTrue(
                number % 4 == 3
                    ? verdict.startsWith("the reward " + file())
                    : verdict.equals("1.0"),
                number + ": " + verdict));
  }

  @Test
  void filesThatAreNone() {
    UserException e = assertThrows(UserException.class, () -> reward(with("path", "nowhere.py")));
    assertTrue(e.getMessage().startsWith("rewards.path: "), e.getMessage());
    e = assertThrows(UserException.class, () -> reward(with("name", "nothing")));
    assertTrue(e.getMessage().endsWith("my_reward.py has no function nothing"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x = 1;missing + 1 | NameError: name 'missing' is not defined ({}:2)",
        "def compute_score(:;  pass | SyntaxError: invalid syntax ({}:1)",
        "import nothing_like_it | ModuleNotFoundError: No module named 'nothing_like_it' ({}:1)",
      })
  void aFileThatDoesNotLoadIsNamedWithItsLine(String lines, String told, @TempDir Path folder)
      throws IOException {
    Path own = Files.writeString(folder.resolve("own.py"), lines.replace(';', '\n') + "\n");
    String message = userError(() -> reward(with("path", own.toString())));
    String end = "its last words: " + told.replace("{}", own.toString());
    assertTrue(message.endsWith(end), message);
  }

  @Test
  void whatIsNoNumberIsNoDetail() {
    Grade grade = grade(reward(with("name", "odd_details")), episode("a"));
    assertEquals(Set.of("acc", "nan"), grade.details().keySet());
    assertEquals(1, grade.details().get("acc"));
  }

  @Test
  void coroutinesAreAwaited() {
    assertEquals(1, score(with("name", "waits"), episode("#### 72").withFacts(facts())));
  }

  /**
   * TRL's functions receive lists of one with the row's columns; a prompt of messages gives a
   * conversation.
   */
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
    String message =
        userError(() -> score(with("name", "two_scores"), episode("8").withFacts(row)));
    assertTrue(
        message.endsWith("expected a list of one score for one completion, found [1.0, 2.0]"),
        message);
  }

  /** Scores that apply are weighted and added, as in TRL; each is a detail. */
  @Test
  void severalFunctionsAreWeighted(@TempDir Path folder) throws IOException {
    Path own =
        Files.writeString(
            folder.resolve("several.py"),
            """
            def short(completion_ids, log_metric, **kwargs):
                log_metric('tokens', len(completion_ids[0]))
                return [0.5]
            """);
    Map<String, Object> options = new HashMap<>();
    options.put("python", "/usr/bin/python3");
    options.put("reward_funcs", List.of(file() + ":of_trl", own + ":short", "several.short"));
    options.put("reward_weights", List.of(2, 0.5, 0));
    options.put("env", Map.of("PYTHONPATH", folder.toString()));
    Map<String, Object> row = new HashMap<>(facts());
    row.put("level", 1.0);
    Grade grade = grade(reward(options), episode("72").withFacts(row));
    assertEquals(2.25, grade.score());
    assertEquals(Map.of("of_trl", 1.0, "short", 0.5, "tokens", 1.0), grade.details());
    row.put("level", "none");
    grade = grade(reward(options), episode("72").withFacts(row));
    assertEquals(0.25, grade.score());
    assertEquals(Set.of("short", "tokens"), grade.details().keySet());
    options.put("reward_weights", List.of(1));
    assertEquals(
        "rewards.reward_weights: expected a number for each of 3 functions, found '[1]'",
        userError(() -> reward(options)));
  }

  /** The attributes of an episode's environment come back in an object of its class. */
  @Test
  void environmentsAreRestored() {
    Map<String, Object> row = Map.of("environments", Map.of("count", 3));
    assertEquals(3, score(with("name", "of_environments"), episode("").withFacts(row)));
    Map<String, Object> options = with("name", "of_methods");
    options.put("environment_factory", file() + ":Counter");
    assertEquals(6, score(options, episode("").withFacts(row)));
    options.put("environment_factory", file() + ":Nothing");
    assertTrue(userError(() -> reward(options)).endsWith("has no function Nothing"));
  }

  @Test
  void aModuleThatIsMissingIsNamed() {
    Map<String, Object> options = new HashMap<>(options());
    options.put("reward_funcs", List.of("nothing.like_it"));
    String message = userError(() -> reward(options));
    assertTrue(message.contains("No module named 'nothing'"), message);
  }

  @Test
  void aRowWithoutTheColumnThatIsAskedForIsRefused() {
    Reward reward = reward(with("name", "of_trl"));
    reward.check(new TaskInfo("d:1", Map.of("level", 1)));
    assertEquals(
        "d:2: no column 'level', which the function of rewards requires (it has: answer)",
        userError(() -> reward.check(new TaskInfo("d:2", Map.of("answer", "8")))));
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
    String message = userError(() -> reward(with("name", name)));
    assertTrue(message.contains(why), message);
  }
}
