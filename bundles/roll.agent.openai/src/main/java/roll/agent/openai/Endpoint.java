package roll.agent.openai;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;

/**
 * Where a model answers. What may go away by itself (no connection, no answer in time, 408, 429,
 * 5xx) is tried again after a delay that doubles each time, or that the endpoint names; everything
 * else, and the last try, is a complaint of one line, never with the key.
 */
final class Endpoint implements AutoCloseable {
  private static final long MOST_BYTES = 16L << 20;

  private final URI address;
  private final @Nullable String key;
  private final Limits limits;
  private final HttpClient client;

  /**
   * How patient one is.
   *
   * @param timeout for a whole answer
   * @param retries after the first try
   * @param delay before the first of them
   */
  record Limits(Duration timeout, int retries, Duration delay) {}

  /** What came of a try: an answer, or a problem and how long the endpoint wants to be left. */
  private record Try(@Nullable String answer, String problem, @Nullable Duration pause) {}

  /**
   * The endpoint at {@code address}.
   *
   * @param key sent as a bearer token, or null
   */
  Endpoint(URI address, @Nullable String key, Limits limits) {
    this.address = address;
    this.key = key;
    this.limits = limits;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(limits.timeout())
            .build();
  }

  /**
   * The text that the model answers.
   *
   * @throws UserException if there is none
   */
  String ask(JsonObject body) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()));
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    Duration delay = limits.delay();
    for (int tries = 1; ; tries++) {
      Try outcome = attempt(request.build());
      if (outcome.answer() != null) {
        return outcome.answer();
      }
      if (tries > limits.retries()) {
        throw complaint(outcome.problem() + (tries == 1 ? "" : ", " + tries + " times"));
      }
      Thread.sleep(outcome.pause() == null ? delay : outcome.pause());
      delay = RetryAfter.bounded(delay.multipliedBy(2));
    }
  }

  /** One request; what is not worth another try is thrown. */
  private Try attempt(HttpRequest request) throws InterruptedException {
    CompletableFuture<HttpResponse<String>> pending =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      HttpResponse<String> response = pending.get(limits.timeout().toNanos(), TimeUnit.NANOSECONDS);
      int status = response.statusCode();
      if (status == 200) {
        return new Try(content(response.body()), "", null);
      }
      String problem = "answered " + status + Answer.problem(response.body());
      if (status != 408 && status != 429 && status < 500) {
        throw complaint(problem);
      }
      return new Try(null, problem, RetryAfter.of(response.headers()));
    } catch (TimeoutException e) {
      return new Try(null, "gave no answer within " + seconds(limits.timeout()) + " s", null);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException) {
        return new Try(null, "could not be asked (" + cause.getClass().getSimpleName() + ")", null);
      }
      throw new IllegalStateException(cause);
    } finally {
      pending.cancel(true);
    }
  }

  private String content(String body) {
    try {
      return Answer.content(body);
    } catch (UserException e) {
      throw complaint(e.getMessage());
    }
  }

  private static String seconds(Duration time) {
    return String.valueOf(time.toNanos() / 1e9).replaceFirst("\\.0$", "");
  }

  private UserException complaint(@Nullable String what) {
    String line = "the agent openai: " + address + " " + what;
    return new UserException(key == null ? line : line.replace(key, "…"));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
