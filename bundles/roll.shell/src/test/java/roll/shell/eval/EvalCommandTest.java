package roll.shell.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.RewardConfig;
import roll.api.option.UserException;
import roll.reward.gsm8k.Gsm8kReward;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RolloutRun;
import roll.shell.Gogo;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** {@code eval} on stored responses, with the reward {@code gsm8k}. */
class EvalCommandTest {
  @TempDir Path folder;

  private final InMemoryPluginRegistry plugins =
      new InMemoryPluginRegistry().with("roll.reward", "gsm8k", new Gsm8kReward());
  private final EvalCommand command =
      new EvalCommand(this::load, EvalCommandTest::play, plugins, null);
  private double weight = 1;

  @AfterEach
  void everythingIsReleased() {
    assertEquals(0, plugins.leased());
  }

  /** A configuration with five validation tasks of one sample each, at temperature 1. */
  private LoadedConfig load(Path file, List<String> overrides) {
    EnvConfig math =
        new EnvConfig(
            "Math",
            "dataset",
            "trajectory",
            EnvLimits.steps(1),
            PromptConfig.of("{observation}"),
            Map.of(),
            List.of(new RewardConfig("gsm8k", weight, Map.of("method", "flexible"))),
            null);
    RunConfig run = ExampleRunConfigs.with(ExampleRunConfigs.small(folder.resolve("run"), 1), math);
    return new LoadedConfig(file, run, "seed: 42\n", List.of(), Set.of(), Map.of());
  }

  private static RolloutRun play(LoadedConfig config, boolean validation, int episodes) {
    throw new AssertionError("nothing is played");
  }

  /** Writes results with an answer per sample; the correct one of task i is i. */
  private Path results(String name, String... answersByTask) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int task = 0; task < answersByTask.length; task++) {
      String[] answers = answersByTask[task].split(" ", -1);
      for (int member = 0; member < answers.length; member++) {
        String score = answers[member].equals(String.valueOf(task)) ? "1.0" : "0.0";
        lines.add(line(task, member, score, answers[member]));
      }
    }
    Path results = folder.resolve(name);
    Files.createDirectories(results.resolve("trajectories"));
    Files.write(results.resolve(EvalResults.FILE), lines);
    return results;
  }

  private static String line(int task, int member, String score, String answer) {
    return """
    {"id":"Math_%1$d_0_7_%2$d","tag":"Math","group":%1$d,"episode":0,"member":%2$d,"seed":7,\
    "score":%3$s,"finish":"terminated","rewards":[%3$s],"states":[1],\
    "messages":[{"role":"user","content":"?"},{"role":"assistant","content":"#### %4$s"}],\
    "facts":{"answer":%5$d},"answer":"%4$s","metrics":{"reward/gsm8k":%3$s,"reward/gsm8k/acc":%3$s},\
    "sequences":[{"tokens":[1,2,3],"texts":["?","##","##"],"turns":[-1,0,0],\
    "log_probs":[0.0,-0.5,"NaN"],"versions":[-1,0,0]}],"cut":[0]}
    """
        .formatted(task, member, score, answer, task)
        .strip();
  }

  /**
   * Four tasks with 2, 1, 0 and 2 of two samples correct: success 5/8, pass@2 3/4. Majority: the
   * first of two different answers counts, which is wrong in task 1.
   */
  @Test
  void gradesStoredResponsesAndPrintsTheFigures() throws Exception {
    Path from = results("a", "0 0", "9 1", "7 7", "3 3");
    assertEquals(
        """
        tag   tasks  samples  success  95 %%           pass@2  majority  score  tokens  truncated
        Math  4      8        62.5 %%   25.0 to 100.0  75.0 %%  50.0 %%    0.625  2.0     100.0 %%
        success: at least 1 in reward/gsm8k/acc
        saved in %s-regraded
        """
            .formatted(from),
        eval("--regrade", from.toString()));
    JsonObject json =
        JsonParser.parseString(Files.readString(folder.resolve("a-regraded/eval.json")))
            .getAsJsonObject();
    JsonObject figures = json.getAsJsonArray("figures").get(0).getAsJsonObject();
    assertEquals(0.75, figures.getAsJsonObject("pass").get("2").getAsDouble());
    assertEquals(0.625, figures.getAsJsonObject("pass").get("1").getAsDouble());
    assertEquals(
        Files.readAllLines(from.resolve(EvalResults.FILE)).stream()
            .map(JsonParser::parseString)
            .toList(),
        Files.readAllLines(folder.resolve("a-regraded").resolve(EvalResults.FILE)).stream()
            .map(JsonParser::parseString)
            .toList());
  }

  /** Stored terms of the reward are replaced, not added to. */
  @Test
  void anotherWeightGivesOtherScoresAndTheSameSuccess() throws Exception {
    Path from = results("a", "0", "1", "9");
    weight = 3;
    String printed = eval("--regrade", from.toString(), "--output", folder + "/b");
    assertTrue(printed.contains("66.7 %   20.8 to 93.9  –         2.000"), printed);
  }

  /** Task 0 is lost, tasks 1 to 6 are won: the p-value of McNemar's test is 0.125. */
  @Test
  void comparesTasksInPairs() throws Exception {
    Path from = results("a", "9", "1", "2", "3", "4", "5", "6", "7");
    Path with = results("b", "0", "9", "9", "9", "9", "9", "9", "7");
    String printed = eval("--regrade", from.toString(), "--compare", with.toString());
    assertTrue(
        printed.contains("compared with " + with + ": success 25.0 %, difference +62.5 points"),
        printed);
    assertTrue(
        printed.contains("tasks won 6, lost 1, tied 1; p = 0.1250 (exact McNemar test)"), printed);
    Path sampled = results("c", "0 9", "1 1", "9 2", "9 9", "9 9", "9 9", "9 9", "7 7");
    String paired =
        eval("--regrade", from + "/", "--compare", sampled.toString(), "--output", folder + "/d");
    assertTrue(paired.contains("tasks won 5, lost 1, tied 2"), paired);
    assertTrue(paired.contains("(paired permutation test)"), paired);
  }

  @Test
  void mistakesAreOneLine() throws Exception {
    Path from = results("a", "0 0", "1 1");
    String there = from.toString();
    wrong("'" + folder + "/no' has no results: no file", "--regrade", folder + "/no");
    wrong("has no results", "--regrade", there, "--compare", folder + "/no");
    wrong("pass@3 needs 3 samples per task, found 2", "--regrade", there, "--k", "1,3");
    wrong("pass@4 needs 4 samples per task, found 1 (--samples)", "--k", "4");
    wrong("pass@4 needs 4 samples per task, found 2 (--samples)", "--samples", "2", "--k", "4");
    wrong("--k: expected integers such as 1,4,8, found '1,x'", "--regrade", there, "--k", "1,x");
    wrong("--samples: expected an integer from 1 to", "--samples", "0");
    wrong(there + " exists: name a new folder", "--regrade", there, "--output", there);
    assertFalse(Files.exists(folder.resolve("a-regraded")));
  }

  @Test
  void linesThatAreNoTrajectoriesAreNamed() throws Exception {
    Path from = results("a", "0", "1");
    String there = from.toString();
    String file = from.resolve(EvalResults.FILE) + ":3: ";
    Path lines = from.resolve(EvalResults.FILE);
    List<String> whole = Files.readAllLines(lines);
    Map<String, String> said =
        Map.of(
            "[1]",
            "expected a JSON object, found a list",
            "{}",
            "is not a trajectory: 'rewards' is missing",
            whole.getFirst().replace("\"rewards\":[1.0]", "\"rewards\":[]"),
            "is not a trajectory: 'rewards' is empty",
            whole.getFirst().replace("\"role\":\"user\",", ""),
            "is not a trajectory: 'role' is missing",
            whole.getFirst().replace("\"tag\":\"Math\"", "\"tag\":\"Maths\""),
            "'Maths' is not in custom_envs (allowed: Math); did you mean 'Math'?",
            whole.getFirst().replace("\"facts\":{\"answer\":0}", "\"facts\":{}"),
            "no reference answer");
    for (Map.Entry<String, String> mistake : said.entrySet()) {
      Files.write(lines, List.of(whole.getFirst(), whole.getLast(), mistake.getKey()));
      wrong(file, "--regrade", there);
      wrong(mistake.getValue(), "--regrade", there);
    }
    Files.writeString(lines, "");
    wrong("is empty", "--regrade", there);
    assertFalse(Files.exists(folder.resolve("a-regraded")));
  }

  /** The figures are kept. */
  @Test
  void otherTasksAreNotCompared() throws Exception {
    Path from = results("a", "0", "1");
    Path more = results("b", "0", "1", "2");
    wrong("has other tasks than these results: 3 tasks, not 2", from, more);
    assertTrue(Files.exists(folder.resolve("a-regraded/eval.json")));
    Path other = results("c", "0", "1");
    Path file = other.resolve(EvalResults.FILE);
    Files.writeString(file, Files.readString(file).replace("{\"answer\":1}", "{\"answer\":5}"));
    wrong(
        "has other tasks than these results: task Math_1_0 differs", results("d", "0", "1"), other);
  }

  private void wrong(String said, Path from, Path compared) {
    wrong(said, "--regrade", from.toString(), "--compare", compared.toString());
  }

  private void wrong(String said, String... words) {
    String message = assertThrows(UserException.class, () -> eval(words)).getMessage();
    assertTrue(message.contains(said), message);
    assertFalse(message.contains("\n"), message);
  }

  private String eval(String... words) throws Exception {
    String quoted = String.join(" ", Arrays.stream(words).map(word -> "'" + word + "'").toList());
    try (Gogo gogo = new Gogo(command, "eval")) {
      return gogo.run("eval math.yaml " + quoted).replace(System.lineSeparator(), "\n");
    }
  }
}
