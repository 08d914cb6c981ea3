package roll.reward.gsm8k;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Trajectory;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

class Gsm8kRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new Gsm8kReward();
  }

  @Override
  protected Map<String, Object> facts() {
    return Map.of("answer", "18");
  }

  private static Trajectory answered(String gold, String response) {
    return episode(response).withFacts(Map.of("answer", gold));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "18 | 9 * 2 = 18, so #### 18 | 1 | 1",
        "18 | #### 17 and #### 18 | 1 | 1",
        "18 | #### $18 | 0 | 1",
        "18 | #### 18. | .1 | .1",
        "18 | ####18 | 0 | 1",
        "18 | The answer is 18 | 0 | 1",
        "18 | #### 18 or 20 | 1 | .1",
        "18 | #### 20 | .1 | .1",
        "-3 | #### -3 | 1 | 1",
        "1080 | #### 1,080 | 1 | .1",
        "1,080 | x\\n#### 1,080 | 1 | 1",
        "1,080 | #### 1080 | 1 | 1",
        "18 | It is 18 . | 0 | 1",
        "18 | none | 0 | 0",
      })
  void numbersAreComparedAsTheyStand(String gold, String response, double strict, double flexible) {
    Trajectory episode = answered(gold, response);
    assertEquals(strict, score(Map.of("format_score", 0.1), episode));
    assertEquals(flexible, score(Map.of("method", "flexible", "format_score", 0.1), episode));
  }

  @Test
  void onlyTheEndIsRead() {
    String early = "#### 18" + ".".repeat(293);
    assertEquals(0, score(Map.of(), answered("18", early + "!!!!!!!!")));
    assertEquals(2, score(Map.of("score", 2), answered("18", "#### 18" + " ".repeat(293))));
  }

  @Test
  void methodsHaveNames() {
    String wrong = userError(() -> reward(Map.of("method", "flexibel")));
    assertEquals(
        "rewards.method: expected one of strict, flexible, found 'flexibel'; did you mean"
            + " 'flexible'?",
        wrong);
  }

  @Test
  void everyRowIsRight() throws Exception {
    Path file =
        Path.of(System.getProperty("roll.root"), "../shared/data/gsm8k/train-first1000.jsonl");
    assumeTrue(Files.exists(file), () -> "skipped, there is no " + file.normalize());
    int rows = 0;
    for (String line : Files.readAllLines(file)) {
      String answer = JsonParser.parseString(line).getAsJsonObject().get("answer").getAsString();
      assertEquals(1, score(Map.of(), answered(answer, answer)), answer);
      assertEquals(1, score(Map.of("method", "flexible"), answered(answer, answer)), answer);
      rows++;
    }
    assertEquals(1000, rows);
  }
}
