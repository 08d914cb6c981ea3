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
import roll.api.config.Options;
import roll.api.data.Trajectory;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;

/** Every row's own answer is right, and not the next row's unless they are the same. */
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
    Reward reward = function.configure(Options.of("r", Map.of(), function.options()));
    for (int i = 0; i < answers.size(); i++) {
      String answer = answers.get(i);
      assertEquals(1, score(reward, answer, answer), answer);
      assertEquals(1, score(reward, answer, "so \\boxed{" + last(answer) + "}"), answer);
      String other = answers.get((i + 1) % answers.size());
      assertEquals(last(other).equals(last(answer)) ? 1 : 0, score(reward, answer, other), answer);
    }
  }

  private static String last(String answer) {
    return answer.substring(answer.lastIndexOf("####") + 4).strip();
  }

  private static double score(Reward reward, String gold, String response) throws Exception {
    Trajectory episode = MathRewardsTest.said(gold, "assistant: " + response);
    return reward.grade(episode, RewardModels.NONE).score();
  }
}
