package roll.reward.llm_judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;
import roll.testkit.TestHttpServer;

/** A judge behind a real endpoint on this machine, and the contract of reward functions. */
@Timeout(120)
class JudgeEndpointTest extends RewardContract {
  private static final String KEY = "sk-never-to-be-seen";

  @AutoClose
  private final TestHttpServer served =
      new TestHttpServer("/v1/chat/completions", TestHttpServer.completion("Score: 10"));

  JudgeEndpointTest() throws IOException {}

  @Override
  protected RewardFunction function() {
    return new LlmJudge();
  }

  @Override
  protected Map<String, Object> options() {
    return with(Map.of());
  }

  private String address() {
    return served.address() + "/v1";
  }

  private Map<String, Object> with(Map<String, Object> more) {
    Map<String, Object> options = new HashMap<>();
    options.put("base_url", address() + "/");
    options.put("model_name", "big");
    options.put("prompt", "Grade {response}");
    options.put("retry_delay", 0.001);
    options.putAll(more);
    return options;
  }

  private String complaint(Map<String, Object> more) {
    String line = userError(() -> score(with(more), episode("x")));
    assertFalse(line.contains(KEY), line);
    return line.replace(address(), "@");
  }

  @Test
  void isAskedInTheFormOfChatCompletions() {
    served.answers(200, TestHttpServer.completion("Score: 8"));
    assertEquals(0.8, score(with(Map.of("api_key", KEY, "max_tokens", 9)), episode("ü🐧")));
    assertEquals(List.of("Bearer " + KEY), served.headers("Authorization"));
    assertEquals(
        List.of(
            JsonParser.parseString(
                """
                {"model": "big", "messages": [{"role": "user", "content": "Grade ü🐧"}],
                 "temperature": 0.0, "max_tokens": 9}
                """)),
        served.bodies().stream().map(JsonParser::parseString).toList());
  }

  @Test
  void theSameQuestionIsAskedOnce() throws Exception {
    served.answers(200, TestHttpServer.completion("Score: 8"));
    try (Reward reward = reward(options());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Double>> asks = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Trajectory episode = episode("answer " + i % 4);
        asks.add(() -> score(reward, episode));
      }
      for (Future<Double> score : threads.invokeAll(asks)) {
        assertEquals(0.8, score.get());
      }
    }
    assertEquals(4, served.bodies().size());
  }

  @Test
  void whatMayPassIsTriedAgain() {
    served.answers(429, "{\"error\":\n\"slow down\"}");
    assertEquals(
        "the reward llm_judge: @/chat/completions answered 429: {\"error\": \"slow down\"}, 3"
            + " times",
        complaint(Map.of("max_retries", 2)));
  }

  @Test
  void permanentErrorsAreReportedAtOnce() {
    served.answers(401, "no key " + KEY);
    assertEquals(
        "the reward llm_judge: @/chat/completions answered 401: no key …",
        complaint(Map.of("api_key", KEY)));
    served.answers(200, "{\"choices\": []}");
    assertEquals(
        "the reward llm_judge: @/chat/completions answered no chat completion: {\"choices\": []}",
        complaint(Map.of()));
    assertEquals(2, served.bodies().size());
  }

  @Test
  void afterAFailureOthersAskThemselves() {
    served.answers(
        (exchange, number) ->
            TestHttpServer.answer(
                exchange,
                number < 2 ? 400 : 200,
                number < 2 ? "" : TestHttpServer.completion("Score: 4")));
    Reward reward = reward(options());
    assertThrows(UserException.class, () -> score(reward, episode("x")));
    assertEquals(0.4, score(reward, episode("x")));
    reward.close();
  }

  @Test
  void addressesAreChecked() {
    assertEquals(
        "rewards.base_url: expected an address such as http://localhost:8000/v1, found 'localhost'",
        userError(() -> reward(Map.of("base_url", "localhost", "model_name", "m"))));
    assertEquals(
        "rewards.model_name is required", userError(() -> reward(Map.of("base_url", "http://h"))));
  }
}
