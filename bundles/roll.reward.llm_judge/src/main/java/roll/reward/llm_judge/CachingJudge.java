package roll.reward.llm_judge;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.RewardModels;
import roll.remote.ApiClient;

/** A judge behind an endpoint. Equal prompts are sent once, also concurrent ones. */
final class CachingJudge implements Judge {
  private static final Option<String> MODEL_NAME =
      Option.text("model_name", "the endpoint's name of the model");
  private static final Option<Integer> MAX_CONCURRENCY =
      Option.integer("max_concurrency", 1, 100_000, "maximum concurrent requests to the endpoint")
          .withDefault(16);
  private static final Option<Integer> MAX_TOKENS =
      Option.integer("max_tokens", 1, Integer.MAX_VALUE, "maximum tokens of the endpoint's answer")
          .withDefault(1024);
  private static final Option<Double> TEMPERATURE =
      Option.number("temperature", 0, 100, "sampling temperature of the endpoint").withDefault(0.0);

  /** Options of {@link #of} besides the service's address. */
  static final List<Option<?>> OPTIONS =
      List.of(
          MODEL_NAME,
          ApiClient.API_KEY,
          ApiClient.TIMEOUT,
          ApiClient.MAX_RETRIES,
          ApiClient.RETRY_DELAY,
          MAX_CONCURRENCY,
          MAX_TOKENS,
          TEMPERATURE);

  private final JudgeEndpoint endpoint;
  private final Semaphore free;
  private final ConcurrentMap<String, CompletableFuture<String>> answers =
      new ConcurrentHashMap<>();

  private CachingJudge(JudgeEndpoint endpoint, int atOnce) {
    this.endpoint = endpoint;
    this.free = new Semaphore(atOnce, true);
  }

  /** Creates the judge of {@code options}. */
  static CachingJudge of(Options options) {
    JudgeEndpoint endpoint =
        new JudgeEndpoint(
            ApiClient.of("the reward llm_judge", "/chat/completions", options),
            options.get(MODEL_NAME),
            options.get(TEMPERATURE),
            options.get(MAX_TOKENS));
    return new CachingJudge(endpoint, options.get(MAX_CONCURRENCY));
  }

  @Override
  public String ask(String prompt, RewardModels models) throws InterruptedException {
    while (true) {
      CompletableFuture<String> mine = new CompletableFuture<>();
      CompletableFuture<String> first = answers.putIfAbsent(prompt, mine);
      if (first == null) {
        return answer(prompt, mine);
      }
      try {
        return first.get();
      } catch (ExecutionException e) {
        answers.remove(prompt, first); // the first request failed or was interrupted: send it again
      }
    }
  }

  private String answer(String prompt, CompletableFuture<String> mine) throws InterruptedException {
    try {
      free.acquire();
      try {
        String answer = endpoint.ask(prompt);
        mine.complete(answer);
        return answer;
      } finally {
        free.release();
      }
    } finally {
      if (mine.completeExceptionally(new IllegalStateException("not answered"))) {
        answers.remove(prompt, mine);
      }
    }
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
