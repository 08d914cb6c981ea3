package roll.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * HTTP client that posts JSON. Temporary failures (no connection, timeout, 408, 429, 5xx) are
 * retried after a delay that doubles each time, or that of {@code Retry-After}. Thread-safe.
 */
public final class RetryingClient implements AutoCloseable {
  private static final long MOST_BYTES = 16L << 20;

  private final Limits limits;
  private final HttpClient client;

  /**
   * Limits; all times are in seconds.
   *
   * @param timeout timeout of a complete answer
   * @param retries maximum number of retries
   * @param delay delay before the first retry
   * @param longest maximum delay, also of {@code Retry-After}
   */
  public record Limits(double timeout, int retries, double delay, double longest) {}

  /** Creates the retrying client. */
  public RetryingClient(Limits limits) {
    this.limits = limits;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(duration(limits.timeout()))
            .build();
  }

  /**
   * Posts {@code json}, and returns the answer with status 200, of at most 16 MiB.
   *
   * @param headers headers beside the content type
   * @throws RequestFailure if there is no such answer
   * @throws InterruptedException if the thread was interrupted, which cancels the request
   */
  public String post(URI address, Map<String, String> headers, String json)
      throws RequestFailure, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    headers.forEach(request::header);
    double delay = limits.delay();
    for (int tries = 1; ; tries++) {
      try {
        return attempt(request.build(), tries, delay);
      } catch (RequestFailure e) {
        if (tries > limits.retries() || !e.mayPass()) {
          throw e;
        }
        Thread.sleep(duration(e.pause()));
      }
      delay = Math.min(2 * delay, limits.longest());
    }
  }

  private String attempt(HttpRequest request, int tries, double delay)
      throws RequestFailure, InterruptedException {
    CompletableFuture<HttpResponse<String>> pending =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      long nanos = duration(limits.timeout()).toNanos();
      HttpResponse<String> response = pending.get(nanos, TimeUnit.NANOSECONDS);
      if (response.statusCode() == 200) {
        return response.body();
      }
      double pause = RetryAfter.of(response.headers(), delay, limits.longest());
      throw RequestFailure.status(response.statusCode(), response.body(), tries, pause);
    } catch (TimeoutException e) {
      throw RequestFailure.silence(limits.timeout(), tries, delay);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw RequestFailure.unreachable(cause, tries, delay);
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pending.cancel(true);
    }
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Cancels the HTTP requests in progress. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}
