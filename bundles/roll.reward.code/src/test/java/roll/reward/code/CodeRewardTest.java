package roll.reward.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.reward.RewardFunction;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.RewardContract;

/** Selection of programs and tests, with a sandbox that only inspects their text. */
class CodeRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new CodeReward(
        new InMemoryPluginRegistry().with("roll.sandbox", "python_process", new Reader()));
  }

  @Test
  void withoutTestsItNeedsOnlyToRun() {
    assertEquals(1, score(Map.of(), episode("print(1)")));
    assertEquals(0, score(Map.of(), episode("wrong")));
    assertEquals(0, score(Map.of(), episode("")));
  }

  /** A tool call is not a final response, nor is its result, except that of a finishing tool. */
  @Test
  void onlyAnAnswerIsRun() {
    assertEquals(0, score(Map.of(), ended("max_turns", "```python\nprint(1)\n```")));
    assertEquals(1, score(Map.of(), ended("terminal", "```python\nprint(1)\n```")));
  }

  private static Trajectory ended(String finish, String result) {
    return new Trajectory(
        new TrajectoryKey("Test", 0, 0, 0, 42),
        List.of(),
        new double[1],
        new long[1],
        List.of(new Message("assistant", "print(2)"), new Message("tool", result)),
        Map.of(),
        finish);
  }

  @Test
  void theLastBlockIsTheProgram() {
    assertEquals(
        "b = 1\n", PythonSource.in("```python\nwrong\n```\nor\n```python\nb = 1\n```\nyes"));
    assertEquals("  return 1\n", PythonSource.in("so:\n```py\n  return 1\n"));
    assertEquals("```java\nx\n```", PythonSource.in("```java\nx\n```"));
  }

  @Test
  void theShareOfTheTestsThatPass() {
    Trajectory episode = episode("```python\nx = 1\n```");
    List<String> checks = List.of("assert x == 1", "assert wrong", "assert x", "stop", "assert x");
    assertEquals(0.4, score(Map.of(), episode.withFacts(Map.of("tests", checks))), 1e-12);
    assertEquals(
        0.4,
        grade(reward(Map.of()), episode.withFacts(Map.of("test_list", checks)))
            .details()
            .get("acc"),
        1e-12);
    assertEquals(0, score(Map.of(), episode("wrong").withFacts(Map.of("tests", checks))));
  }

  @Test
  void textIsWrittenAsPythonReadsIt() {
    assertEquals(
        "'a\\U00000027\\U0000005c\\U0000000a\\U0001f600'", PythonSource.literal("a'\\\n😀"));
  }

  @Test
  void anUnknownSandboxIsRefused() {
    assertEquals(
        "rewards.sandbox: no roll.sandbox 'pyton' is registered (registered:" + " python_process)",
        userError(() -> reward(Map.of("sandbox", "pyton"))));
  }

  /**
   * A sandbox that fails programs with the word wrong, stops those with stop, and prints string
   * literals.
   */
  static final class Reader implements Sandbox {
    @Override
    public String description() {
      return "reads";
    }

    @Override
    public SandboxSession open(SandboxLimits limits) {
      return new SandboxSession() {
        @Override
        public Execution run(String program) {
          if (program.contains("wrong")) {
            return new Execution(Outcome.FAILED, "", "NameError");
          }
          int print = program.lastIndexOf("print('");
          int end = program.lastIndexOf("')");
          String printed = print < end ? program.substring(print + 7, end) + "\n" : "";
          return new Execution(
              program.contains("stop") ? Outcome.TIMEOUT : Outcome.DONE, printed, "");
        }

        @Override
        public void close() {}
      };
    }
  }
}
