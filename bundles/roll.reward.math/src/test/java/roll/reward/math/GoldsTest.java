package roll.reward.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Trajectory;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.TestOptions;

/** Every row's own answer is correct, and the next row's is not unless it is equal. */
class GoldsTest {
  @Test
  void everyRowOfGsm8kIsRight() throws Exception {
    Path file =
        Path.of(System.getProperty("roll.root"), "../shared/data/gsm8k/train-first1000.jsonl");
    assumeTrue(Files.exists(file), () -> "skipped, there is no " + file.normalize());
    List<String> answers =
        Files.readAllLines(file).stream()
            .map(line -> JsonParser.parseString(line).getAsJsonObject())
            .map((JsonObject row) -> row.get("answer").getAsString())
            .toList();
    assertEquals(1000, answers.size());
    MathRewardStringEqual function = new MathRewardStringEqual();
    Reward reward = function.configure(TestOptions.of("r", Map.of(), function.options()));
    for (int i = 0; i < answers.size(); i++) {
      String answer = answers.get(i);
      assertEquals(1, score(reward, answer, answer), answer);
      assertEquals(1, score(reward, answer, "so \\boxed{" + last(answer) + "}"), answer);
      String other = answers.get((i + 1) % answers.size());
      assertEquals(last(other).equals(last(answer)) ? 1 : 0, score(reward, answer, other), answer);
    }
  }

  @Test
  void everyRowOfDeepMathIsRight() throws Exception {
    Path file =
        Path.of(
            System.getProperty("roll.root"), "../shared/data/math/deepmath-roll-first200.jsonl");
    assumeTrue(Files.exists(file), () -> "skipped, there is no " + file.normalize());
    MathRewardStringEqual text = new MathRewardStringEqual();
    MathEqualReward expression =
        new MathEqualReward(
            new InMemoryPluginRegistry().with("roll.grader", "math_verify", new LastWordGrader()));
    List<Reward> rewards =
        List.of(
            text.configure(TestOptions.of("r", Map.of(), text.options())),
            expression.configure(TestOptions.of("r", Map.of(), expression.options())));
    int rows = 0;
    for (String line : Files.readAllLines(file)) {
      JsonObject row = JsonParser.parseString(line).getAsJsonObject();
      String gold = row.get("ground_truth").getAsString();
      for (Reward reward : rewards) {
        assertEquals(1, score(reward, gold, "It is \\boxed{" + gold + "}, not 0.5."), gold);
      }
      rows++;
    }
    assertEquals(200, rows);
  }

  private static String last(String answer) {
    return answer.substring(answer.lastIndexOf("####") + 4).strip();
  }

  private static double score(Reward reward, String gold, String response) throws Exception {
    Trajectory episode = MathRewardsTest.said(gold, "assistant: " + response);
    return reward.grade(episode, RewardModels.NONE).score();
  }
}
