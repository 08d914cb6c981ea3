package roll.reward.llm_judge;

import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.api.config.Options;
import roll.api.http.PatientClient;
import roll.api.http.WebAddress;
import roll.api.reward.RewardModels;

/** A model behind an endpoint. The same question is asked once, also where many ask it at once. */
final class CachingJudge implements Judge {
  private static final double LONGEST = 86_400;
  private static final double LONGEST_PAUSE = 600;

  private final Endpoint endpoint;
  private final Semaphore free;
  private final ConcurrentMap<String, CompletableFuture<String>> answers =
      new ConcurrentHashMap<>();

  private CachingJudge(Endpoint endpoint, int atOnce) {
    this.endpoint = endpoint;
    this.free = new Semaphore(atOnce, true);
  }

  /** What {@code options} say. */
  static CachingJudge of(Options options) {
    Endpoint.Asking asking =
        new Endpoint.Asking(
            options.text("model_name"),
            options.number("temperature", 0, 100),
            options.integer("max_tokens", 1, Integer.MAX_VALUE));
    PatientClient.Limits limits =
        new PatientClient.Limits(
            options.number("timeout", 0.001, LONGEST),
            options.integer("max_retries", 0, 1000),
            options.number("retry_delay", 0, LONGEST),
            LONGEST_PAUSE);
    return new CachingJudge(
        new Endpoint(address(options), key(options), asking, limits),
        options.integer("max_concurrency", 1, 100_000));
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
        answers.remove(prompt, first); // who asked first failed, or was sent away: ask again
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

  private static URI address(Options options) {
    return WebAddress.of(options.text("base_url").replaceFirst("/+$", "") + "/chat/completions")
        .orElseThrow(
            () -> options.wrong("base_url", "an address such as http://localhost:8000/v1"));
  }

  private static @Nullable String key(Options options) {
    if (!options.has("api_key")) {
      return null;
    }
    if (!options.text("api_key").matches("[!-~]+")) {
      throw options.wrong("api_key", "a text without spaces");
    }
    return options.text("api_key");
  }
}
