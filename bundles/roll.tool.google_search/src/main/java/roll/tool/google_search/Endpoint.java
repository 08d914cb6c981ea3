package roll.tool.google_search;

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

/**
 * A service that answers queries as Serper does: JSON posted with a key. What may go away by itself
 * (no connection, no answer in time, 408, 429, 5xx) is tried again after a delay that doubles each
 * time, or that the service names.
 */
final class Endpoint implements AutoCloseable {
  private static final long MOST_BYTES = 4L << 20;

  private final Access access;
  private final HttpClient client;

  /**
   * Where the service is, and how patient one is with it; equal ones are one service.
   *
   * @param timeout for a whole answer
   * @param retries after the first try
   * @param delay before the first of them
   */
  record Access(URI address, String key, Duration timeout, int retries, Duration delay) {}

  /** What came of a try: an answer, or a problem and how long the service wants to be left. */
  private record Try(@Nullable String answer, String problem, @Nullable Duration pause) {}

  /** The service at {@code access}. */
  Endpoint(Access access) {
    this.access = access;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(access.timeout())
            .build();
  }

  /**
   * The JSON that answers {@code query}.
   *
   * @throws SearchFailure if there is none; the message never has the key
   */
  String ask(String query) throws SearchFailure, InterruptedException {
    JsonObject body = new JsonObject();
    body.addProperty("q", query);
    HttpRequest request =
        HttpRequest.newBuilder(access.address())
            .header("Content-Type", "application/json")
            .header("X-API-KEY", access.key())
            .POST(BodyPublishers.ofString(body.toString()))
            .build();
    Duration delay = access.delay();
    for (int tries = 1; ; tries++) {
      Try outcome = attempt(request);
      if (outcome.answer() != null) {
        return outcome.answer();
      }
      if (tries > access.retries()) {
        throw new SearchFailure(outcome.problem() + (tries == 1 ? "" : ", " + tries + " times"));
      }
      Thread.sleep(outcome.pause() == null ? delay : outcome.pause());
      delay = RetryAfter.bounded(delay.multipliedBy(2));
    }
  }

  /** One request; what is not worth another try is thrown. */
  private Try attempt(HttpRequest request) throws SearchFailure, InterruptedException {
    CompletableFuture<HttpResponse<String>> pending =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      HttpResponse<String> response = pending.get(access.timeout().toNanos(), TimeUnit.NANOSECONDS);
      int status = response.statusCode();
      if (status == 200) {
        return new Try(response.body(), "", null);
      }
      String problem = "the search engine answered " + status;
      if (status != 408 && status != 429 && status < 500) {
        throw new SearchFailure(problem);
      }
      return new Try(null, problem, RetryAfter.of(response.headers()));
    } catch (TimeoutException e) {
      return new Try(null, "the search engine gave no answer in time", null);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) {
        return new Try(null, "the search engine could not be reached", null);
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pending.cancel(true);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
